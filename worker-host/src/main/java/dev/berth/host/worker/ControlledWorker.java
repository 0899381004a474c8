package dev.berth.host.worker;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.order.Heartbeat;
import dev.berth.host.order.ServerClock;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.worker.CloseOutcome;
import dev.berth.workflows.worker.WorkerControl;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;

/** The lifecycle's hold on this process. Every call names the epoch that it means. */
final class ControlledWorker implements WorkerControl {
    private final UserWorker worker;
    private final ServerClock server;
    private final WorkerProcess self;

    ControlledWorker(UserWorker worker, ServerClock server, WorkerProcess self) {
        this.worker = worker;
        this.server = server;
        this.self = self;
    }

    @Override
    public WorkerProcess attach(long epoch) {
        requireMine(epoch == ANY_EPOCH ? self.epoch() : epoch);
        return self;
    }

    @Override
    public void openSession(long epoch, SealedCredentials credentials) {
        requireMine(epoch);
        try (var _ = Heartbeat.of(Activity.getExecutionContext())) {
            worker.open(credentials);
        } catch (RefusedException refused) {
            throw ApplicationFailure.newNonRetryableFailure(refused.getMessage(), CREDENTIALS_REFUSED);
        } catch (IOException away) {
            throw Activity.wrap(away);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(shutdown);
        }
    }

    @Override
    public void ping(long epoch) {
        requireMine(epoch);
    }

    @Override
    public CloseOutcome closeSession(long epoch, boolean onlyIfIdle) {
        requireMine(epoch);
        try (var _ = Heartbeat.of(Activity.getExecutionContext())) {
            CloseOutcome outcome = worker.close(onlyIfIdle);
            if (outcome == CloseOutcome.CLOSED) {
                worker.end();
            }
            return outcome;
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(shutdown);
        }
    }

    @Override
    public void dropSession(long epoch, AccountKey account) {
        requireMine(epoch);
        worker.drop(account);
    }

    private void requireMine(long epoch) {
        // Long before the first order this tells how late it is at the server.
        server.heard(Activity.getExecutionContext().getInfo().getStartedTimestamp());
        if (epoch != self.epoch()) {
            throw ApplicationFailure.newFailure(
                    "asked for epoch " + epoch + ", but this process has epoch " + self.epoch(), WRONG_EPOCH);
        }
    }
}
