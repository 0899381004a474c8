package dev.berth.host.worker;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.worker.WorkerProcess;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals to the worker's lifecycle, sent by the gateway in the name of this task. A lost signal is
 * repeated, or the lifecycle asks by activity.
 */
final class LifecycleSignals {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleSignals.class);
    private static final Duration FOUND_INTERVAL = Duration.ofSeconds(5);

    private final WorkerGatewayClient gateway;
    private final WorkerProcess self;
    private long lastFoundNanos = System.nanoTime() - FOUND_INTERVAL.toNanos();

    LifecycleSignals(WorkerGatewayClient gateway, WorkerProcess self) {
        this.gateway = gateway;
        this.self = self;
    }

    /** This process serves the user from now on. */
    void attached() {
        send("attached", () -> gateway.attached(self.host(), self.pid()));
    }

    /** This process lives, but Redis does not know it. Restarts a lifecycle that was terminated. */
    synchronized void found() {
        long now = System.nanoTime();
        if (now - lastFoundNanos < FOUND_INTERVAL.toNanos()) {
            return;
        }
        lastFoundNanos = now;
        send("workerFound", gateway::found);
    }

    /** No order for the idle time, and none works at a venue. */
    void idle() {
        send("idle", gateway::idle);
    }

    /** The broker rejects the account's credentials: the lifecycle tries those that are stored. */
    void sessionRefused(AccountKey account) {
        send("sessionRefused", () -> gateway.sessionRefused(account));
    }

    private static void send(String name, Runnable signal) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                signal.run();
            } catch (StatusRuntimeException unavailable) {
                LOG.warn("signal \"{}\" not sent to the lifecycle: {}", name, unavailable.getMessage());
            }
        });
    }
}
