package dev.berth.workflows.masscancel;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.KillSwitch.Level;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request to cancel everything that a filter matches. While it is in effect, no order that was
 * accepted until then is sent any more.
 *
 * @param id unique among those of the same level and name; repeated, it is the same request. That
 *     of a kill switch has a colon, which no user's key has
 * @param level whose orders
 * @param which the user or the broker; null for all
 * @param account null for every account
 * @param symbol null for every symbol
 * @param side null for both
 * @param keepsExits whether orders at the venue that protect a position stay
 * @param at orders that were accepted later are left alone
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MassCancel(
        String id,
        Level level,
        @Nullable String which,
        @Nullable AccountKey account,
        @Nullable String symbol,
        @Nullable Side side,
        boolean keepsExits,
        Instant at,
        String by) {

    public MassCancel {
        if ((level == Level.ALL) != (which == null)) {
            throw new IllegalArgumentException("A cancel of a user's or a broker's orders names it.");
        }
    }

    /** Before an operator's key. */
    private static final String SWITCH = "switch:";

    /** The id of the request that a kill switch made under this key. */
    public static String idOfSwitch(String key) {
        return SWITCH + key;
    }

    /** The key under which it was requested. */
    public String key() {
        return id.startsWith(SWITCH) ? id.substring(SWITCH.length()) : id;
    }

    /** Of one user's orders. */
    public static MassCancel of(
            String id,
            UserId userId,
            @Nullable AccountKey account,
            @Nullable String symbol,
            @Nullable Side side,
            Instant at) {
        return new MassCancel(id, Level.USER, userId.value(), account, symbol, side, false, at, userId.value());
    }

    /** Of what a kill switch stops. */
    public static MassCancel of(String key, KillSwitch stop, boolean keepsExits) {
        return new MassCancel(
                idOfSwitch(key),
                stop.level(),
                stop.which(),
                null,
                null,
                null,
                keepsExits,
                stop.changedAt(),
                stop.changedBy());
    }

    /** Whose orders, as kill switches are named: {@code user:alice}. */
    public String name() {
        return switch (level) {
            case ALL -> KillSwitch.all();
            case BROKER -> KillSwitch.ofBroker(String.valueOf(which));
            case USER -> "user:" + which;
        };
    }

    /** Equal for requests that ask for the same; time and id do not belong to it. */
    public String filter() {
        return String.join(" ", name(), String.valueOf(account), String.valueOf(symbol), String.valueOf(side))
                + (keepsExits ? " keeps exits" : "");
    }

    /** Whether it asks for all that another one of its name can ask for. */
    public boolean coversAll() {
        return account == null && symbol == null && side == null && !keepsExits;
    }

    /** Whether it concerns orders of this account. */
    public boolean coversAccount(AccountKey key) {
        return (account == null || account.equals(key))
                && (level != Level.BROKER || key.broker().equals(which));
    }

    /** Whether the order must not be sent any more. */
    public boolean covers(OrderRequest order) {
        return (level != Level.USER || order.userId().value().equals(which))
                && coversAccount(order.account())
                && (symbol == null || symbol.equals(order.symbol()))
                && (side == null || side == order.side())
                && !order.submittedAt().isAfter(at);
    }

    /** Whether the order must not be replaced any more. An exit that stays may be. */
    public boolean coversReplacement(OrderRequest order) {
        return covers(order) && !(keepsExits && order.type().hasStopPrice());
    }

    /** Whether the filter matches an order at the venue, made here or elsewhere, at any time. */
    public boolean matches(AccountOrder order) {
        return (symbol == null || symbol.equals(order.symbol()))
                && (side == null || side.name().toLowerCase(Locale.ROOT).equals(order.side()));
    }

    /** As {@code OrderHold} has them in Redis. */
    public static String write(List<MassCancel> requests) {
        return Json.write(requests);
    }

    /**
     * Reads what {@link #write} wrote; empty for an empty text.
     *
     * @throws IllegalArgumentException when the text is no list of them
     */
    public static List<MassCancel> read(String json) {
        return json.isEmpty() ? List.of() : List.of(Json.read(json, MassCancel[].class));
    }
}
