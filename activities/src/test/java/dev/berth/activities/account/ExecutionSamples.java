package dev.berth.activities.account;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.account.AccountActivity;
import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executions of alice, of her own orders and of others, and reports of her account. */
final class ExecutionSamples {
    private final PostgresOrderRecords records;
    private final AccountReadModel accounts;

    ExecutionSamples(TestPostgres postgres, TestRedis redis) {
        records = new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
        accounts = new AccountReadModel(postgres.client());
    }

    /** A bought share at 100, of the order v-1 at its venue. */
    static Execution execution(String id, Instant at) {
        return new Execution(id, 0, Decimal.of("1"), Decimal.of("100"), at, false, null, "v-1");
    }

    static Execution busted(Execution execution, Instant at) {
        return new Execution(
                execution.executionId(), 0, execution.quantity(), execution.price(), at, true, null, "v-1");
    }

    /** Submitted at noon, for AAPL. */
    void order(String id, Execution... executions) {
        order(id, "AAPL", executions);
    }

    void order(String id, String symbol, Execution... executions) {
        OrderState state = OrderState.accepted(OrderSamples.order(ALICE, id, NOON));
        OrderState named = Json.read(Json.write(state).replace("\"AAPL\"", '"' + symbol + '"'), OrderState.class);
        records.record(ALICE, new ClientOrderId(id), List.of(named), List.of(executions), HistoryPosition.OUTSIDE);
    }

    /** An execution among the activities of the account. */
    static AccountActivity activity(
            String id, Instant at, String side, String quantity, String price, String venueOrderId) {
        return new AccountActivity(
                "at::" + id,
                "FILL",
                at,
                "AAPL",
                side,
                SignedDecimal.of(quantity),
                Decimal.of(price),
                null,
                venueOrderId,
                null,
                id);
    }

    /** Anything that is no execution. */
    static AccountActivity booked(
            String id, String kind, @Nullable String symbol, @Nullable String quantity, @Nullable String amount) {
        return new AccountActivity(
                id,
                kind,
                Instant.EPOCH,
                symbol,
                null,
                quantity == null ? null : SignedDecimal.of(quantity),
                null,
                amount == null ? null : SignedDecimal.of(amount),
                null,
                null,
                null);
    }

    static AccountPosition position(String symbol, String quantity) {
        return new AccountPosition(symbol, "any", SignedDecimal.of(quantity), Decimal.ZERO, Decimal.ZERO, "USD", null);
    }

    void report(Instant asOf, String cash, List<AccountPosition> positions, AccountActivity... activities) {
        AccountBalances balances = new AccountBalances("USD", SignedDecimal.of(cash), null, null, List.of(), List.of());
        accounts.record(ALICE, 7, new AccountReport(ACCOUNT, asOf, balances, positions, null, List.of(activities)));
    }
}
