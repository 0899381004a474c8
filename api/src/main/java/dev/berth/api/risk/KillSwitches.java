package dev.berth.api.risk;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.KillSwitch.Level;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every switch that was ever touched, as it stands: those that are on first. */
record KillSwitches(List<One> switches) {

    /** One of them. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record One(
            Level level,
            @Nullable String userId,
            @Nullable String broker,
            boolean on,
            String reason,
            String changedBy,
            Instant changedAt) {

        static One of(KillSwitch one) {
            return new One(
                    one.level(),
                    one.level() == Level.USER ? one.which() : null,
                    one.level() == Level.BROKER ? one.which() : null,
                    one.on(),
                    one.reason(),
                    one.changedBy(),
                    one.changedAt());
        }
    }

    static KillSwitches of(List<KillSwitch> switches) {
        return new KillSwitches(switches.stream()
                .sorted(Comparator.comparing((KillSwitch one) -> !one.on()).thenComparing(KillSwitch::name))
                .map(One::of)
                .toList());
    }
}
