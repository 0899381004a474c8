package dev.berth.rest;

import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.BoundedMap;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Limits the request rate of each user to {@code berth.rates}, before the body is read. Each
 * process counts alone, so that no request waits for another server; several processes together let
 * a multiple through.
 */
@Component
class RequestRates implements HandlerInterceptor, WebMvcConfigurer {
    /**
     * A user's four buckets take under 1 KB. The bucket of an inactive user is full anyway.
     */
    private static final int MAX_BUCKETS = 30_000;

    /** Enough for a person who looks whether a receiver works. */
    private static final double MESSAGES_PER_SECOND = 0.1;

    /** The kind of a request, and how many seconds of its rate a user may save for a burst. */
    enum Cost {
        MESSAGE(60),
        COMMAND(10),
        CHANGE(2),
        READ(2);

        private final long burstSeconds;

        Cost(long burstSeconds) {
            this.burstSeconds = burstSeconds;
        }
    }

    private record Key(String user, Cost cost) {}

    private final BerthSettings.Rates rates;
    private final TimeMeter time;
    /** Drops the least recently used. */
    private final Map<Key, Bucket> buckets = new BoundedMap<>(MAX_BUCKETS);

    @Autowired
    RequestRates(BerthSettings settings) {
        this(settings.rates(), TimeMeter.SYSTEM_NANOTIME);
    }

    RequestRates(BerthSettings.Rates rates, TimeMeter time) {
        this.rates = rates;
        this.time = time;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/v1/**", "/codec/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Principal caller = request.getUserPrincipal();
        if (caller != null) {
            take(String.valueOf(caller.getName()), cost(request, handler));
        }
        return true;
    }

    private static Cost cost(HttpServletRequest request, Object handler) {
        String method = request.getMethod();
        if (handler instanceof HandlerMethod call) {
            if (call.hasMethodAnnotation(MessageCommand.class)) {
                return Cost.MESSAGE;
            }
            if (call.hasMethodAnnotation(CostlyCommand.class)) {
                return Cost.COMMAND;
            }
        }
        boolean reads = method.equals(HttpMethod.GET.name())
                || method.equals(HttpMethod.HEAD.name())
                || method.equals(HttpMethod.OPTIONS.name());
        return reads && !asksWorker(request) ? Cost.READ : Cost.CHANGE;
    }

    /** A read of an account that starts a workflow, and perhaps a worker. */
    private static boolean asksWorker(HttpServletRequest request) {
        return request.getRequestURI().startsWith("/v1/accounts/")
                && (request.getParameter("fresh") != null || request.getHeader("Prefer") != null);
    }

    /**
     * Counts one request.
     *
     * @throws Problem.Refusal when the user exceeds the rate
     */
    void take(String user, Cost cost) {
        ConsumptionProbe probe = bucket(new Key(user, cost)).tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            long seconds = Duration.ofNanos(probe.getNanosToWaitForRefill())
                    .plusMillis(999)
                    .toSeconds();
            throw Problem.REQUEST_RATE
                    .because("Send at most %s requests of this kind a second, and bursts of at most %s."
                            .formatted(number(perSecond(cost)), burst(cost)))
                    .after(Math.max(1, seconds));
        }
    }

    private synchronized Bucket bucket(Key key) {
        Bucket existing = buckets.remove(key);
        Bucket bucket = existing == null ? newBucket(key.cost()) : existing;
        buckets.put(key, bucket);
        return bucket;
    }

    private Bucket newBucket(Cost cost) {
        long burst = burst(cost);
        Duration filledIn = Duration.ofNanos(Math.round(1e9 * burst / perSecond(cost)));
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(burst).refillGreedy(burst, filledIn))
                .withCustomTimePrecision(time)
                .build();
    }

    private double perSecond(Cost cost) {
        return switch (cost) {
            case MESSAGE -> MESSAGES_PER_SECOND;
            case COMMAND -> rates.commandsPerSecond();
            case CHANGE -> rates.changesPerSecond();
            case READ -> rates.readsPerSecond();
        };
    }

    private long burst(Cost cost) {
        return Math.max(1, Math.round(perSecond(cost) * cost.burstSeconds));
    }

    private static String number(double perSecond) {
        return perSecond == Math.rint(perSecond) ? Long.toString(Math.round(perSecond)) : Double.toString(perSecond);
    }

    synchronized int buckets() {
        return buckets.size();
    }
}
