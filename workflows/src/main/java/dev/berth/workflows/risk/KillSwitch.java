package dev.berth.workflows.risk;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.Reason;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One switch that keeps orders from being sent. Cancels pass it always.
 *
 * @param which the user or the broker; absent for all
 * @param on whether it stops orders now
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record KillSwitch(
        Level level, @Nullable String which, boolean on, String reason, String changedBy, Instant changedAt) {

    /** Whose orders it stops; the widest first. */
    public enum Level {
        @JsonProperty("all")
        ALL,
        @JsonProperty("broker")
        BROKER,
        @JsonProperty("user")
        USER
    }

    public KillSwitch {
        if ((level == Level.ALL) != (which == null)) {
            throw new IllegalArgumentException("A switch of a user or a broker names it, a switch of all names none.");
        }
    }

    /** The name of a switch among all: {@code all}, {@code broker:alpaca}, {@code user:alice}. */
    public String name() {
        return switch (level) {
            case ALL -> all();
            case BROKER -> ofBroker(String.valueOf(which));
            case USER -> "user:" + which;
        };
    }

    public static String all() {
        return "all";
    }

    public static String ofBroker(String broker) {
        return "broker:" + broker;
    }

    public static String ofUser(UserId userId) {
        return "user:" + userId;
    }

    boolean stops(OrderRequest order) {
        return on
                && switch (level) {
                    case ALL -> true;
                    case BROKER -> order.account().broker().equals(which);
                    case USER -> order.userId().value().equals(which);
                };
    }

    /**
     * What is said of an order that these switches stop, by the widest of them; empty when none
     * does, or the order passes them.
     */
    public static Optional<Reason> objection(OrderRequest order, Collection<KillSwitch> switches) {
        return switches.stream()
                .filter(one -> one.stops(order) && !order.mayPassKillSwitches())
                .min(Comparator.comparing(KillSwitch::level))
                .map(one -> FailureCode.KILL_SWITCH.because(one.text()));
    }

    private String text() {
        String whose = switch (level) {
            case ALL -> "all orders";
            case BROKER -> "orders to broker " + which;
            case USER -> "orders of user " + which;
        };
        return "The kill switch for " + whose + " is on: " + reason + " (" + changedBy
                + "). Submit again under a new id when it is off; cancels work.";
    }
}
