package dev.berth.host.worker;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.order.ActivityHeartbeat;
import dev.berth.host.order.ServerClock;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.worker.CloseOutcome;
import dev.berth.workflows.worker.WorkerControl;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.activity.Activity;
import java.io.IOException;

/** The lifecycle's activities on this process. Each call names the epoch that it is for. */
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
        requireEpoch(epoch == ANY_EPOCH ? self.epoch() : epoch);
        return self;
    }

    @Override
    public void openSession(long epoch, SealedCredentials credentials) {
        requireEpoch(epoch);
        try (var _ = ActivityHeartbeat.of(Activity.getExecutionContext())) {
            worker.open(credentials);
        } catch (RefusedException refused) {
            throw FailureType.CREDENTIALS_REFUSED.failure(String.valueOf(refused.getMessage()));
        } catch (IOException unavailable) {
            throw Activity.wrap(unavailable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(interrupted);
        }
    }

    @Override
    public void ping(long epoch) {
        requireEpoch(epoch);
    }

    @Override
    public CloseOutcome closeSession(long epoch, boolean onlyIfIdle) {
        return close(epoch, () -> worker.close(onlyIfIdle));
    }

    @Override
    public CloseOutcome closeIfQuiet(long epoch) {
        return close(epoch, worker::closeIfQuiet);
    }

    /** Closes the sessions, or refuses to. */
    private interface Closing {
        CloseOutcome run() throws InterruptedException;
    }

    private CloseOutcome close(long epoch, Closing closing) {
        requireEpoch(epoch);
        try (var _ = ActivityHeartbeat.of(Activity.getExecutionContext())) {
            CloseOutcome outcome = closing.run();
            if (outcome == CloseOutcome.CLOSED) {
                worker.end();
            }
            return outcome;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(interrupted);
        }
    }

    @Override
    public void dropSession(long epoch, AccountKey account) {
        requireEpoch(epoch);
        worker.closeSession(account);
    }

    private void requireEpoch(long epoch) {
        // The clock has to be known before the first order arrives.
        server.observe(Activity.getExecutionContext().getInfo().getStartedTimestamp());
        if (epoch != self.epoch()) {
            throw FailureType.WRONG_EPOCH.failure(
                    "the call is for epoch " + epoch + ", but this process has epoch " + self.epoch());
        }
    }
}
