package dev.berth.rest.risk;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.rest.masscancel.FleetMassCancelView;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.KillSwitch.Level;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All kill switches in PostgreSQL, active ones first, and the state of the copy that the gates of
 * API and workers read.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record KillSwitches(
        @Schema(description = "state of the copy in Redis, which the gates read, against PostgreSQL")
        Copy copy,

        @Schema(
                description =
                        "whether the gates hold every order because the copy is missing or changed; absent if unknown")
        @Nullable
        Boolean holdsAll,

        List<One> switches,

        @Schema(description = "how far the cancels are that this call requested; absent without any") @Nullable
        FleetMassCancelView cancels) {

    /** State of the copy in Redis. Each but CURRENT is corrected within a second. */
    enum Copy {
        CURRENT,
        /** The copy lacks the latest change. */
        BEHIND,
        /** The content is not PostgreSQL's. */
        FOREIGN,
        MISSING,
        /** The API cannot reach Redis. Gates without Redis hold every order. */
        UNREACHABLE
    }

    /** One kill switch. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "KillSwitch")
    record One(
            Level level,
            @Nullable String userId,
            @Nullable String broker,
            boolean on,

            @Schema(description = "whether the gates apply it now; absent if unknown") @Nullable
            Boolean inEffect,

            String reason,
            String changedBy,
            Instant changedAt) {

        /** Such as user alice. */
        String scope() {
            return switch (level) {
                case ALL -> "all";
                case BROKER -> "broker " + broker;
                case USER -> "user " + userId;
            };
        }

        private static One of(KillSwitch one, @Nullable Boolean inEffect) {
            return new One(
                    one.level(),
                    one.level() == Level.USER ? one.which() : null,
                    one.level() == Level.BROKER ? one.which() : null,
                    one.on(),
                    inEffect,
                    one.reason(),
                    one.changedBy(),
                    one.changedAt());
        }
    }

    static KillSwitches of(RiskCopy.Look look) {
        Copy copy = switch (look.state()) {
            case CURRENT -> Copy.CURRENT;
            case BEHIND -> Copy.BEHIND;
            case FOREIGN -> Copy.FOREIGN;
            case MISSING -> Copy.MISSING;
        };
        Predicate<KillSwitch> stops = one -> look.found().stops(one.name());
        return new KillSwitches(
                copy, !look.found().isWhole(), listed(look.right().switches(), stops), null);
    }

    static KillSwitches withoutRedis(List<KillSwitch> switches) {
        return new KillSwitches(Copy.UNREACHABLE, null, listed(switches, null), null);
    }

    KillSwitches with(FleetMassCancelView requested) {
        return new KillSwitches(copy, holdsAll, switches, requested);
    }

    private static List<One> listed(List<KillSwitch> switches, @Nullable Predicate<KillSwitch> inEffect) {
        return switches.stream()
                .sorted(Comparator.comparing((KillSwitch one) -> !one.on()).thenComparing(KillSwitch::name))
                .map(one -> One.of(one, inEffect == null ? null : inEffect.test(one)))
                .toList();
    }
}
