package dev.berth.activities.account;

import dev.berth.activities.account.AccountReadModel.Reported;
import dev.berth.activities.order.UserEvent;
import dev.berth.workflows.Json;
import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.broker.AccountRead;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A part of an account that is reported as a whole.
 *
 * @param read whose name PostgreSQL has
 */
public record AccountPart<T>(AccountRead read, Function<String, T> reader) {
    public static final AccountPart<AccountBalances> BALANCES =
            new AccountPart<>(AccountRead.BALANCES, json -> Json.read(json, AccountBalances.class));

    public static final AccountPart<List<AccountPosition>> POSITIONS =
            new AccountPart<>(AccountRead.POSITIONS, json -> list(json, AccountPosition[].class));

    /** Those that are open. */
    public static final AccountPart<List<AccountOrder>> ORDERS =
            new AccountPart<>(AccountRead.ORDERS, json -> list(json, AccountOrder[].class));

    private static <T> List<T> list(String json, Class<T[]> type) {
        return Stream.of(Json.read(json, type)).toList();
    }

    /** In PostgreSQL. */
    String name() {
        return read.name();
    }

    T read(String json) {
        return reader.apply(json);
    }

    /** Whether the event is of this part. */
    public boolean isOf(UserEvent.AccountEvent event) {
        return name().equals(event.part());
    }

    /** What an event of this part says. */
    public Reported<T> reported(UserEvent.AccountEvent event) {
        return new Reported<>(event.at(), read(event.content()));
    }
}
