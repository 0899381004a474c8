package dev.berth.acceptance.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** An account, without its secret. */
    public record StoredAccount(
            PlacedOrder.Account account,
            String keyId,
            long version,
            @Nullable Instant storedAt) {}

    public JsonResponse get() throws IOException, InterruptedException {
        JsonResponse answer = trader.get("/v1/accounts");
        assertThat(answer.status()).isEqualTo(200);
        return answer;
    }

    public List<StoredAccount> list() throws IOException, InterruptedException {
        return get().list("accounts", StoredAccount.class);
    }

    /** The ids of the accounts at Alpaca, in the order of the list. */
    public List<String> ids() throws IOException, InterruptedException {
        return list().stream()
                .filter(stored -> stored.account().broker().equals("alpaca"))
                .map(stored -> stored.account().accountId())
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
        return VenueLog.of(stack).orders().stream()
                .filter(order -> order.clientOrderId().equals(orderId))
                .map(VenueLog.Order::account)
                .toList();
    }
}
