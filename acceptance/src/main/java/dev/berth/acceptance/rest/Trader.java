package dev.berth.acceptance.rest;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A user of the API. */
public record Trader(RestClient api, String user, String token) {
    /** The default account of each user of the local stack. */
    public static final String ACCOUNT = LocalAccount.ALPACA.json();

    /** Submits and waits up to {@code seconds} for the venue's answer. */
    public JsonResponse submit(OrderBody order, int seconds) throws IOException, InterruptedException {
        return api.call("POST", "/v1/orders", order.json(), "Authorization", bearer(), "Prefer", "wait=" + seconds);
    }

    /** Submits a body with additional headers and does not wait. */
    public JsonResponse submit(String body, String... headers) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("Authorization", bearer()));
        all.addAll(List.of(headers));
        return api.call("POST", "/v1/orders", body, all.toArray(String[]::new));
    }

    /** Cancels everything that the body matches, and waits up to {@code seconds} for the ends. */
    public JsonResponse cancelAll(String key, String body, int seconds) throws IOException, InterruptedException {
        return api.call(
                "POST",
                "/v1/orders:cancel",
                body,
                "Authorization",
                bearer(),
                "Idempotency-Key",
                key,
                "Prefer",
                "wait=" + seconds);
    }

    public JsonResponse get(String path) throws IOException, InterruptedException {
        return api.call("GET", path, null, "Authorization", bearer());
    }

    public JsonResponse post(String path) throws IOException, InterruptedException {
        return api.call("POST", path, null, "Authorization", bearer());
    }

    public JsonResponse delete(String path) throws IOException, InterruptedException {
        return api.call("DELETE", path, null, "Authorization", bearer());
    }

    public JsonResponse replace(String id, String body) throws IOException, InterruptedException {
        return api.call("PATCH", "/v1/orders/" + id, body, "Authorization", bearer());
    }

    public PlacedOrder order(String id) throws IOException, InterruptedException {
        return get("/v1/orders/" + id).as(PlacedOrder.class);
    }

    /** The steps of an order, oldest first; none before the read model has it. */
    public List<PlacedOrder> steps(String id) throws IOException, InterruptedException {
        JsonResponse answer = get("/v1/orders/" + id + "/events");
        return answer.status() == 404 ? List.of() : answer.list(PlacedOrder.class);
    }

    /** The statuses that an order had, oldest first. */
    public List<String> statuses(String id) throws IOException, InterruptedException {
        return steps(id).stream().map(PlacedOrder::status).toList();
    }

    public Worker worker() throws IOException, InterruptedException {
        return get("/v1/worker").as(Worker.class);
    }

    public String bearer() {
        return "Bearer " + token;
    }
}
