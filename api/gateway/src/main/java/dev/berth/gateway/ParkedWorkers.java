package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMessages.Claim;
import dev.berth.temporal.gateway.GatewayMessages.ClaimAnswer;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.workflows.pool.ClaimMessage;
import io.grpc.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Idle pool workers whose calls wait at this gateway, and claims that wait for their worker: it may
 * be between two calls, or wait at another gateway.
 */
final class ParkedWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedWorkers.class);

    private final PoolMembership pool;
    private final ExecutorService threads;
    private final ScheduledExecutorService clock;
    private final GatewayListener listener;
    private final Map<String, Parked> parked = new ConcurrentHashMap<>();
    private final Map<String, List<ClaimMessage>> waiting = new ConcurrentHashMap<>();
    private volatile boolean closed;

    ParkedWorkers(
            PoolMembership pool, ExecutorService threads, ScheduledExecutorService clock, GatewayListener listener) {
        this.pool = pool;
        this.threads = threads;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * A call that waits.
     *
     * @param binding its task is being bound: it must not end without the claim
     */
    private record Parked(
            Caller caller,
            HeartbeatRequest heartbeat,
            Context call,
            CompletableFuture<ClaimAnswer> answer,
            AtomicBoolean binding) {
        String task() {
            return caller.task().taskId();
        }

        /** An answered call has a canceled context, too, but without a cause. */
        boolean hasLeft() {
            return call.isCancelled() && call.cancellationCause() != null;
        }
    }

    /**
     * Waits for the caller's claim without a thread. Ends an earlier call of the same task.
     *
     * @return fails when the outcome of a claim is unknown
     * @throws io.grpc.StatusRuntimeException when the task has a user
     */
    CompletionStage<ClaimAnswer> park(Caller caller, HeartbeatRequest heartbeat) {
        UserHeartbeats.check(heartbeat);
        if (!pool.enter(caller)) {
            return CompletableFuture.completedFuture(new ClaimAnswer(true, null));
        }
        Parked own = new Parked(caller, heartbeat, Context.current(), new CompletableFuture<>(), new AtomicBoolean());
        Parked earlier = parked.put(own.task(), own);
        if (earlier != null) {
            earlier.answer.complete(ClaimAnswer.NONE);
        }
        var timeout = clock.schedule(
                () -> threads.execute(() -> end(own)), GatewayLimits.PARKED.toMillis(), TimeUnit.MILLISECONDS);
        var _ = own.answer.whenComplete((_, _) -> timeout.cancel(false));
        own.call.addListener(_ -> parked.remove(own.task(), own), Runnable::run);
        if (closed) {
            end(own);
        }
        handOver(own.task());
        return own.answer;
    }

    /** Gives a claim to its worker, if that waits here within 2 s from now. */
    void offer(ClaimMessage claim) {
        String task = claim.reservedTask();
        if (waiting.size() >= GatewayLimits.WAITING_CLAIMS) {
            LOG.warn("dropped a claim for {}: too many claims wait", claim.userId());
            return;
        }
        waiting.merge(
                task,
                List.of(claim),
                (some, one) -> Stream.concat(some.stream(), one.stream()).toList());
        var _ = clock.schedule(() -> drop(claim), GatewayLimits.WAITING_CLAIM.toMillis(), TimeUnit.MILLISECONDS);
        handOver(task);
    }

    boolean waits(String taskId) {
        return parked.containsKey(taskId);
    }

    int count() {
        return parked.size();
    }

    /** Tasks whose claims wait for them. */
    int waitingClaims() {
        return waiting.size();
    }

    /** Answers all calls, now and later: the workers go to another gateway. */
    void endAll() {
        closed = true;
        parked.values().forEach(this::end);
    }

    private void end(Parked call) {
        if (!call.binding.get()) {
            parked.remove(call.task(), call);
            call.answer.complete(ClaimAnswer.NONE);
        }
    }

    private void drop(ClaimMessage claim) {
        waiting.computeIfPresent(claim.reservedTask(), (_, claims) -> {
            List<ClaimMessage> others =
                    claims.stream().filter(other -> !other.equals(claim)).toList();
            return others.isEmpty() ? null : others;
        });
    }

    /** Both sides call this after they have registered, so that one of them finds the other. */
    private void handOver(String taskId) {
        Parked worker = parked.get(taskId);
        if (worker == null || worker.hasLeft()) {
            return;
        }
        List<ClaimMessage> claims = waiting.remove(taskId);
        if (claims != null) {
            worker.binding.set(true);
            claims.forEach(claim -> bind(worker, claim));
            worker.binding.set(false);
            if (closed) {
                end(worker);
            }
        }
    }

    private void bind(Parked worker, ClaimMessage message) {
        try {
            Optional<Claim> claim = pool.bind(worker.caller, message, worker.heartbeat);
            if (claim.isPresent()) {
                tell(worker, claim.get());
            } else {
                LOG.info("a claim for {} with epoch {} is void", message.userId(), message.epoch());
                listener.claim(ClaimResult.VOID);
            }
        } catch (RuntimeException unknown) {
            LOG.warn("whether a claim for {} was given is unknown: {}", message.userId(), unknown.getMessage());
            // The process asks again, and has to end if it was bound.
            parked.remove(worker.task(), worker);
            worker.answer.completeExceptionally(unknown);
        }
    }

    /** A later call of the same process may have taken this one's place. */
    private void tell(Parked bound, Claim claim) {
        Parked worker = parked.remove(bound.task());
        boolean isAnswered =
                worker != null && worker.answer.complete(new ClaimAnswer(false, claim)) && !worker.hasLeft();
        listener.claim(isAnswered ? ClaimResult.BOUND : ClaimResult.LOST);
        if (!isAnswered) {
            LOG.warn("task {} left while it got {}", bound.task(), claim.userId());
            pool.release(bound.caller, claim);
        }
    }
}
