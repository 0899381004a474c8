package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** What a user does besides single orders: reads, batches, and everything at once. */
final class AccountTraffic {
    private static final int READ_EVERY = 3;
    private static final int FRESH_EVERY = 9;
    private static final int BATCH_EVERY = 10;
    private static final int CANCEL_ALL_EVERY = 15;
    private static final int CLOSE_EVERY = 10;

    private final Trader trader;
    private final LocalAccount account;
    private final Map<Call, Map<Integer, Integer>> answers = new ConcurrentHashMap<>();

    /** What is called. */
    enum Call {
        READ,
        FRESH_READ,
        CANCEL_EVERYTHING,
        CLOSE_POSITIONS,
        BATCH
    }

    /** One item of a batch. */
    private record Item(String clientOrderId, int status) {}

    AccountTraffic(Trader trader, LocalAccount account) {
        this.trader = trader;
        this.account = account;
    }

    /** How often each call had each HTTP status. */
    Map<Call, Map<Integer, Integer>> answers() {
        return answers;
    }

    /**
     * What belongs between the order of this number and the next one.
     *
     * @param id of that order
     * @return further orders that were accepted
     * @throws IOException when a call has no answer; it may have had its effect
     */
    List<String> after(int number, String id) throws IOException, InterruptedException {
        if (isDue(number, CANCEL_ALL_EVERY)) {
            count(Call.CANCEL_EVERYTHING, trader.cancelAll(id, "{}", 1));
        }
        // Over FIX no account is read, nor closed.
        if (account == LocalAccount.ALPACA) {
            useHoldings(number, id);
        }
        return isDue(number, BATCH_EVERY) ? batch(id) : List.of();
    }

    private void useHoldings(int number, String id) throws IOException, InterruptedException {
        if (isDue(number, READ_EVERY)) {
            if (isDue(number, FRESH_EVERY)) {
                count(Call.FRESH_READ, trader.get(HeldAccount.PATH + "positions?fresh=true"));
            } else {
                count(Call.READ, trader.get(HeldAccount.PATH + "orders"));
            }
        }
        if (isDue(number, CLOSE_EVERY)) {
            count(Call.CLOSE_POSITIONS, new HeldAccount(trader).close(id, "{}", 1));
        }
    }

    /** For the first time after half as many orders, so that a short run has each call. */
    private static boolean isDue(int number, int every) {
        return (number + every / 2) % every == 0;
    }

    private List<String> batch(String id) throws IOException, InterruptedException {
        String buy =
                OrderBody.market(id + "-a", "AAPL", "buy", "1").with(account).json();
        String sell =
                OrderBody.market(id + "-b", "AAPL", "sell", "1").with(account).json();
        JsonResponse answer = trader.api()
                .call(
                        "POST",
                        "/v1/orders:batch",
                        "{\"orders\":[" + buy + "," + sell + "]}",
                        "Authorization",
                        trader.bearer());
        count(Call.BATCH, answer);
        List<String> accepted = new ArrayList<>();
        if (answer.status() == 200) {
            for (Item item : answer.list("items", Item.class)) {
                if (item.status() / 100 == 2) {
                    accepted.add(item.clientOrderId());
                }
            }
        }
        return accepted;
    }

    private void count(Call call, JsonResponse answer) {
        answers.computeIfAbsent(call, _ -> new ConcurrentSkipListMap<>()).merge(answer.status(), 1, Integer::sum);
    }
}
