package dev.berth.acceptance.rest;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client with the scope {@code fleet}. */
public record FleetOperator(RestClient api, String bearer) {
    /**
     * A kill switch.
     *
     * @param inEffect whether the gates apply it now; absent if unknown
     */
    public record KillSwitch(
            String level,
            @Nullable String userId,
            @Nullable String broker,
            boolean on,
            @Nullable Boolean inEffect,
            String reason,
            String changedBy,
            Instant changedAt) {}

    public static FleetOperator of(Stack stack) throws IOException {
        return new FleetOperator(stack.api(), "Bearer " + new Tokens(stack).sign("olga", "fleet"));
    }

    public JsonResponse get(String path) throws IOException, InterruptedException {
        return api.call("GET", "/v1/fleet" + path, null, "Authorization", bearer);
    }

    /** Sends a command: {@code /workers/alice:suspend}, {@code /workers:resume} and so on. */
    public JsonResponse tell(String command, String reason) throws IOException, InterruptedException {
        return post(command, "{\"reason\":\"" + reason + "\"}");
    }

    public JsonResponse post(String path, @Nullable String body) throws IOException, InterruptedException {
        return api.call("POST", "/v1/fleet" + path, body, "Authorization", bearer);
    }

    public JsonResponse put(String path, String body) throws IOException, InterruptedException {
        return api.call("PUT", "/v1/fleet" + path, body, "Authorization", bearer);
    }

    public JsonResponse delete(String path) throws IOException, InterruptedException {
        return api.call("DELETE", "/v1/fleet" + path, null, "Authorization", bearer);
    }

    /**
     * Turns a kill switch on or off.
     *
     * @param scope {@code all}, {@code user:alice} or {@code broker:alpaca}
     * @return all switches
     * @throws IOException when the API refuses it
     */
    public List<KillSwitch> killSwitch(String scope, boolean on) throws IOException, InterruptedException {
        JsonResponse answer = put("/kill-switch", "{%s\"on\":%s,\"reason\":\"a test\"}".formatted(level(scope), on));
        if (answer.status() != 200) {
            throw new IOException("the API refused the kill switch: " + answer.body());
        }
        return answer.list("switches", KillSwitch.class);
    }

    /** Turns the kill switch of this scope on, and cancels what it stops. */
    public JsonResponse killSwitchWithCancel(String key, String scope, boolean exits)
            throws IOException, InterruptedException {
        return api.call(
                "PUT",
                "/v1/fleet/kill-switch",
                "{%s\"on\":true,\"reason\":\"a test\",\"cancel\":true,\"exits\":%s}".formatted(level(scope), exits),
                "Authorization",
                bearer,
                "Idempotency-Key",
                key);
    }

    /** Such as {@code "level":"user","userId":"alice",}. */
    private static String level(String scope) {
        String[] parts = scope.split(":", 2);
        String name = switch (parts[0]) {
            case "user" -> "\"userId\":\"" + parts[1] + "\",";
            case "broker" -> "\"broker\":\"" + parts[1] + "\",";
            default -> "";
        };
        return "\"level\":\"" + parts[0] + "\"," + name;
    }

    public List<KillSwitch> killSwitches() throws IOException, InterruptedException {
        return get("/kill-switch").list("switches", KillSwitch.class);
    }

    public Worker worker(String user) throws IOException, InterruptedException {
        return get("/workers/" + user).as(Worker.class);
    }

    public ExplainedWorker explain(String user) throws IOException, InterruptedException {
        return get("/explain/" + user).as(ExplainedWorker.class);
    }

    public ExplainedOrder explain(String user, String order) throws IOException, InterruptedException {
        return get("/explain/" + user + "/" + order).as(ExplainedOrder.class);
    }

    public FleetSummary fleet() throws IOException, InterruptedException {
        return get("").as(FleetSummary.class);
    }
}
