package dev.berth.acceptance.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;

/** A trader's accounts over REST. */
public record AccountsClient(Stack stack, Trader trader) {
    private static final String EQUITY = "/v1/accounts/alpaca/equity/paper/";

    /** Stores credentials of {@code alpaca/equity/paper/{accountId}}. */
    public JsonResponse put(String accountId, String keyId, String secret) throws IOException, InterruptedException {
        return put(EQUITY + accountId, "{\"keyId\":\"%s\",\"secret\":\"%s\"}".formatted(keyId, secret));
    }

    public JsonResponse put(String path, String body) throws IOException, InterruptedException {
        return stack.api().call("PUT", path + "/credentials", body, "Authorization", trader.bearer());
    }

    public JsonResponse delete(String accountId) throws IOException, InterruptedException {
        return trader.delete(EQUITY + accountId);
    }

    public List<JsonNode> list() throws IOException, InterruptedException {
        JsonResponse answer = trader.get("/v1/accounts");
        assertThat(answer.status()).isEqualTo(200);
        return StreamSupport.stream(answer.body().path("accounts").spliterator(), false)
                .toList();
    }

    /** The account ids of the list, in its order. */
    public List<String> ids() throws IOException, InterruptedException {
        return list().stream()
                .map(account -> account.path("account").path("accountId").asText())
                .toList();
    }

    /** Buys one share with this account, and waits for the venue's answer. */
    public JsonResponse buy(String accountId, String orderId) throws IOException, InterruptedException {
        String order = OrderBody.market(orderId, "AAPL", "buy", "1").json();
        String here = "\"accountId\":\"" + accountId + "\"";
        return trader.submit(order.replace("\"accountId\":\"paper\"", here), "Prefer", "wait=60");
    }

    /** The key ids under which this order stands in the venue's book. */
    public List<String> keysAtTheVenue(String orderId) throws IOException, InterruptedException {
        JsonNode orders =
                stack.venue().call("GET", "/_control/book", null).body().path("orders");
        return StreamSupport.stream(orders.spliterator(), false)
                .filter(order -> order.path("client_order_id").asText().equals(orderId))
                .map(order -> order.path("account").asText())
                .toList();
    }
}
