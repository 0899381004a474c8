package dev.berth.host.order;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.host.tracing.Span;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes execution reports on through the gateway, in the background: to the order's workflow or,
 * when that has ended, the workflow for late reports; and to subscribers.
 */
public final class ExecutionReportPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutionReportPublisher.class);

    /** About a kilobyte each: reports that wait for Temporal must not fill the heap. */
    static final int MAX_PENDING = 1_000;
    /** Half of what the gateway allows, and fast enough: a call takes some milliseconds. */
    private static final int AT_ONCE = 16;
    /** Pauses of 10 s and calls of up to 20 s: this outlasts a failover of Temporal. */
    private static final int MAX_ATTEMPTS = 40;

    private final WorkerGatewayClient gateway;
    private final Attempts attempts;
    private final CancelReports cancels;
    private final Duration firstPause;
    private final Duration maxPause;
    private final Semaphore pending = new Semaphore(MAX_PENDING);
    private final Semaphore calls = new Semaphore(AT_ONCE, true);

    ExecutionReportPublisher(WorkerGatewayClient gateway, Attempts attempts, CancelReports cancels) {
        this(gateway, attempts, cancels, Duration.ofMillis(500), Duration.ofSeconds(10));
    }

    ExecutionReportPublisher(
            WorkerGatewayClient gateway,
            Attempts attempts,
            CancelReports cancels,
            Duration firstPause,
            Duration maxPause) {
        this.gateway = gateway;
        this.attempts = attempts;
        this.cancels = cancels;
        this.firstPause = firstPause;
        this.maxPause = maxPause;
    }

    /**
     * A report of an order that is being sent, or canceled, returns with the activity's result
     * instead.
     *
     * @return as {@link dev.berth.host.broker.SessionListener#deliver}
     */
    public CompletionStage<Void> onReport(ClientOrderId id, ExecutionReport report) {
        return attempts.keepReport(id, report) || cancels.keep(id, report)
                ? CompletableFuture.completedFuture(null)
                : deliver(id, report);
    }

    /** Publishes at once; the activity's result takes longer. */
    void publish(OrderState state) {
        Thread.ofVirtual().start(Span.inherited(() -> {
            try {
                gateway.publish(state);
            } catch (StatusRuntimeException unavailable) {
                LOG.warn("order state not published: {}", unavailable.getMessage());
            }
        }));
    }

    /**
     * Unordered. The workflow looks a lost report up: by its delayed checks and at its end.
     *
     * @return as {@link dev.berth.host.broker.SessionListener#deliver}
     */
    CompletionStage<Void> deliver(ClientOrderId id, ExecutionReport report) {
        CompletableFuture<Void> delivery = new CompletableFuture<>();
        if (!pending.tryAcquire()) {
            LOG.warn("report of {} dropped: {} others wait for the gateway; {}", id, MAX_PENDING, report.status());
            delivery.completeExceptionally(new IllegalStateException("too many reports wait for the gateway"));
            return delivery;
        }
        Thread.ofVirtual().name("report").start(Span.inherited(() -> {
            try {
                deliverWithRetries(id, report);
                delivery.complete(null);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                delivery.completeExceptionally(interrupted);
            } catch (StatusRuntimeException givenUp) {
                delivery.completeExceptionally(givenUp);
            } finally {
                pending.release();
            }
        }));
        return delivery;
    }

    private void deliverWithRetries(ClientOrderId id, ExecutionReport report) throws InterruptedException {
        ExponentialBackoff backoff = new ExponentialBackoff(firstPause, maxPause);
        for (int attempt = 1; ; attempt++) {
            try {
                call(id, report);
                return;
            } catch (StatusRuntimeException failed) {
                Status.Code code = failed.getStatus().getCode();
                if (attempt == MAX_ATTEMPTS || isRefused(code)) {
                    LOG.error("report of {} given up after {} attempts: {}", id, attempt, report.status(), failed);
                    if (code == Status.Code.INVALID_ARGUMENT) {
                        // Repeated, it would be refused again.
                        return;
                    }
                    throw failed;
                }
                LOG.warn("report of {} not delivered yet: {}", id, failed.getMessage());
                Thread.sleep(backoff.next());
            }
        }
    }

    private void call(ClientOrderId id, ExecutionReport report) throws InterruptedException {
        calls.acquire();
        try {
            gateway.report(id, report);
        } finally {
            calls.release();
        }
    }

    private static boolean isRefused(Status.Code code) {
        return code == Status.Code.INVALID_ARGUMENT || code == Status.Code.PERMISSION_DENIED;
    }
}
