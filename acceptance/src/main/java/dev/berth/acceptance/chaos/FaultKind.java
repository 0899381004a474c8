package dev.berth.acceptance.chaos;

import dev.berth.acceptance.stack.RedisKeyspace;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The kinds of {@code --faults}, with the shortest and the longest duration in seconds. */
enum FaultKind {
    WORKER_KILL(FaultKind.WORKER, 0, 0, WorkerKill::inject),
    /** After 30 s the heartbeat key expires, and after 60 s a successor serves. */
    WORKER_FREEZE(FaultKind.WORKER, 5, 120, WorkerFreeze::inject),
    API_KILL("api", 1, 15, ServerFault::kill),
    API_FREEZE("api", 2, 20, ServerFault::freeze),
    TEMPORAL_KILL("temporal", 1, 15, ServerFault::kill),
    TEMPORAL_FREEZE("temporal", 2, 20, ServerFault::freeze),
    POSTGRES_KILL("postgres", 1, 15, ServerFault::kill),
    POSTGRES_FREEZE("postgres", 2, 20, ServerFault::freeze),
    REDIS_KILL("redis", 1, 15, ServerFault::kill),
    /** After 25 s all workers are fenced. */
    REDIS_FREEZE("redis", 2, 35, ServerFault::freeze),
    REDIS_WIPE("redis", 0, 0, (site, _) -> {
        RedisKeyspace.of(site.stack()).forgetEverything();
        return 1;
    }),
    SQS_KILL("sqs", 1, 15, ServerFault::kill),
    SQS_FREEZE("sqs", 2, 20, ServerFault::freeze),
    SQS_DELAY("sqs", 10, 30, QueueFault::delay),
    SQS_REPEAT("sqs", 10, 30, QueueFault::repeat),
    ECS_KILL("ecs", 1, 15, ServerFault::kill),
    ECS_FREEZE("ecs", 2, 20, ServerFault::freeze),
    GATEWAY_KILL("gateway", 1, 15, ServerFault::kill),
    GATEWAY_FREEZE("gateway", 2, 20, ServerFault::freeze),
    EVENTS_DROP("ecs", 10, 30, (site, fault) -> {
        site.dropEvents(true);
        try {
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            site.dropEvents(false);
        }
    }),
    /** A host drains; its workers are handed over, with orders at the venue. */
    HOST_DRAIN("ecs", 15, 40, CloudFault::drainHost),
    /** Statements on the orders wait for a lock; connections are as many as ever. */
    POSTGRES_STALL("postgres", 5, 40, CloudFault::stallPostgres),
    /** Redis is a replica for a while: it reads, and refuses to write. */
    REDIS_FAILOVER("redis", 1, 15, CloudFault::failOverRedis),
    VENUE_FAULTS("venue", 5, 20, VenueFaultInjection::inject),
    /** What stands in front of the venue answers in its place; executions are corrected. */
    VENUE_ANSWERS("venue", 5, 30, VenueFaultInjection::answer),
    /** Messages over FIX are repeated and left out, and connections are cut. */
    FIX_FAULTS("venue", 5, 20, VenueFaultInjection::fix),
    /** Three workers beside those of the users who trade. */
    HOSTILE_WORKERS("hostile", 20, 60, HostileWorkers::inject);

    /** One target per user. */
    static final String WORKER = "worker";

    private final String target;
    private final Duration shortest;
    private final Duration longest;
    private final Injection injection;

    FaultKind(String target, int shortest, int longest, Injection injection) {
        this.target = target;
        this.shortest = Duration.ofSeconds(shortest);
        this.longest = Duration.ofSeconds(longest);
        this.injection = injection;
    }

    static Optional<FaultKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@link #WORKER}, the name of a server, or the hostile workers. */
    String target() {
        return target;
    }

    Injection injection() {
        return injection;
    }

    /** Chooses the duration of a fault. */
    Duration duration(RandomGenerator random) {
        return Duration.ofMillis(random.nextLong(shortest.toMillis(), longest.toMillis() + 1));
    }
}
