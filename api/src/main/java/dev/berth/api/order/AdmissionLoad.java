package dev.berth.api.order;

import dev.berth.api.BerthSettings;
import dev.berth.api.Problem;
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

/** How full the system is, for whoever watches it: it says so before the first order is refused. */
@Component
class AdmissionLoad {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionLoad.class);
    /** Of the ceiling, in percent. */
    private static final int NEARLY_FULL = 80;

    private static final Duration WARNS_EVERY = Duration.ofMinutes(1);

    private final MeterRegistry meters;
    private final int ceiling;
    private final InstantSource clock;
    private final AtomicLong active = new AtomicLong();
    private final AtomicLong warnedAtMillis = new AtomicLong();

    @Autowired
    AdmissionLoad(MeterRegistry meters, BerthSettings settings) {
        this(meters, settings.admission().maxActive(), InstantSource.system());
    }

    AdmissionLoad(MeterRegistry meters, int ceiling, InstantSource clock) {
        this.meters = meters;
        this.ceiling = ceiling;
        this.clock = clock;
        Gauge.builder("berth.orders.active", active, AtomicLong::get)
                .description("Orders that were accepted and have no first answer from the venue")
                .register(meters);
        Gauge.builder("berth.orders.active.ceiling", () -> ceiling)
                .description("So many of them may be active before others are refused")
                .register(meters);
        for (Problem reason : Admission.REFUSALS) {
            counter(reason);
        }
    }

    /** So many orders are active now. */
    void saw(long now) {
        active.set(now);
        if (now * 100 > (long) ceiling * NEARLY_FULL && isTimeToWarn()) {
            LOG.warn("{} of {} orders are active: soon others are refused. Are venue and workers slow?", now, ceiling);
        }
    }

    private boolean isTimeToWarn() {
        long now = clock.millis();
        long before = warnedAtMillis.get();
        return now - before >= WARNS_EVERY.toMillis() && warnedAtMillis.compareAndSet(before, now);
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
