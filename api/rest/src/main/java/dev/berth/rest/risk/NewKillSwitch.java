package dev.berth.rest.risk;

import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.broker.Brokers;
import dev.berth.workflows.UserId;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.KillSwitch.Level;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body that sets a kill switch. */
record NewKillSwitch(
        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                allowableValues = {"user", "broker", "all"})
        @Nullable
        Level level,

        @Schema(description = "required for level user, else absent") @Nullable
        String userId,

        @Schema(description = "required for level broker, else absent", example = "alpaca") @Nullable
        String broker,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        Boolean on,

        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                minLength = 1,
                maxLength = 500,
                example = "exchange is down")
        @Nullable
        String reason,

        @Schema(description = "whether the open orders that the switch stops are canceled, too; with on true only")
        @Nullable
        Boolean cancel,

        @Schema(
                description = "whether that cancels stop orders, too, that protect a position; else they stay;"
                        + " with cancel true only")
        @Nullable
        Boolean exits) {
    private static final Pattern BROKER = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    boolean isCanceling() {
        return Boolean.TRUE.equals(cancel);
    }

    /** For the audit. */
    String cancelsText() {
        if (!isCanceling()) {
            return "";
        }
        return isKeepingExits() ? ", with cancels" : ", with cancels and exits";
    }

    boolean isKeepingExits() {
        return !Boolean.TRUE.equals(exits);
    }

    /** @throws Problem.Refusal with the first error */
    KillSwitch by(String operator, Instant now) {
        if (level == null || on == null) {
            throw Problem.INVALID_REQUEST.because("Send level (user, broker or all) and on (true or false).");
        }
        if ((Boolean.TRUE.equals(cancel) && !on) || (exits != null && !isCanceling())) {
            throw Problem.INVALID_REQUEST.because("Send cancel with on true only, and exits with cancel true only.");
        }
        if ((userId != null) != (level == Level.USER) || (broker != null) != (level == Level.BROKER)) {
            throw Problem.INVALID_REQUEST.because(
                    "Level user takes userId, level broker takes broker, and level all neither.");
        }
        if (broker != null && !BROKER.matcher(broker).matches()) {
            throw Problem.INVALID_REQUEST.because("broker is the name of a broker, such as alpaca.");
        }
        if (broker != null && on) {
            // A misspelt name, such as Alpaca, would seem to stop orders.
            Brokers.require(broker);
        }
        String which = userId != null ? new UserId(userId).value() : broker;
        return new KillSwitch(level, which, on, new ReasonBody(reason).text(), operator, now);
    }
}
