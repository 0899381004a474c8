package dev.berth.rest.order;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.Problem;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Metrics and a warning for the number of active orders. */
@Component
class AdmissionLoad {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionLoad.class);
    /** Percentage of the limit above which a warning is logged. */
    private static final int WARNING_PERCENT = 80;

    private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);

    private final MeterRegistry meters;
    private final int max;
    private final InstantSource clock;
    private final AtomicLong warnedAtMillis = new AtomicLong();

    @Autowired
    AdmissionLoad(MeterRegistry meters, BerthSettings settings) {
        this(meters, settings.admission().maxActive(), InstantSource.system());
    }

    AdmissionLoad(MeterRegistry meters, int max, InstantSource clock) {
        this.meters = meters;
        this.max = max;
        this.clock = clock;
        Gauge.builder("berth.orders.active.ceiling", () -> max)
                .description("Limit of active orders; others are refused")
                .register(meters);
        for (Problem reason : Admission.REFUSALS) {
            counter(reason);
        }
    }

    /** Warns above a percentage of the limit. */
    void update(long now) {
        if (now * 100 > (long) max * WARNING_PERCENT && isTimeToWarn()) {
            LOG.warn("{} of {} orders are active; at the limit others are refused. Check venue and workers", now, max);
        }
    }

    private boolean isTimeToWarn() {
        long now = clock.millis();
        long last = warnedAtMillis.get();
        return now - last >= WARNING_INTERVAL.toMillis() && warnedAtMillis.compareAndSet(last, now);
    }

    void refused(Problem reason) {
        counter(reason).increment();
    }

    private Counter counter(Problem reason) {
        return meters.counter(
                "berth.orders.refused",
                "reason",
                reason.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
