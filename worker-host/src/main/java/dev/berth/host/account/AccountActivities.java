package dev.berth.host.account;

import dev.berth.host.broker.BrokerSession.OverBudgetException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.BrokerSession.UnsupportedException;
import dev.berth.host.order.ActivityHeartbeat;
import dev.berth.host.order.SentOrders;
import dev.berth.host.order.Sessions;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.account.AccountControl;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.account.HeldPositions;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.VenueMassCancel;
import io.grpc.StatusRuntimeException;
import io.temporal.activity.Activity;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What the user asks of an account, on the control queue. */
public final class AccountActivities implements AccountControl {
    /** The other slots of the queue stay free for orders and the lifecycle. */
    public static final int MAX_CONCURRENT_CALLS = 2;

    private final Sessions sessions;
    private final AccountReporter reporter;
    private final SentOrders sent;
    private final Duration limit;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT_CALLS);

    public AccountActivities(Sessions sessions, AccountReporter reporter, SentOrders sent, Duration limit) {
        this.sent = sent;
        this.sessions = sessions;
        this.reporter = reporter;
        this.limit = limit;
    }

    private interface AccountCall<T> {
        T execute() throws IOException, InterruptedException;
    }

    @Override
    public Instant read(AccountKey account) {
        return execute(() -> reporter.report(account));
    }

    @Override
    public HeldPositions holdings(AccountKey account, @Nullable String symbol) {
        return execute(() -> {
            AccountReport report = sessions.call(account, "reading", limit, session -> session.readAccount(true));
            if (report.positions() == null || report.orders() == null) {
                throw new IOException("the session does not know which orders and positions there are");
            }
            return HeldPositions.of(report, symbol);
        });
    }

    @Override
    public CancelVenueOrderOutcome cancel(AccountKey account, String venueOrderId) {
        CancelVenueOrderOutcome outcome = execute(
                () -> sessions.call(account, "cancel", limit, session -> session.cancelVenueOrder(venueOrderId)));
        reporter.changed(account);
        return outcome;
    }

    @Override
    public VenueMassCancel.Round massCancel(VenueMassCancel command) {
        VenueMassCancel.Round round = execute(() -> sessions.call(
                command.account(),
                "mass cancel",
                limit,
                session -> new VenueMassCancels(session, command, sent).run()));
        reporter.changed(command.account());
        return round;
    }

    private <T> T execute(AccountCall<T> call) {
        if (!permits.tryAcquire()) {
            throw FailureType.BROKER_SLOW.failure("too many calls wait for the broker");
        }
        try (var _ = ActivityHeartbeat.of(Activity.getExecutionContext())) {
            return call.execute();
        } catch (OverBudgetException busy) {
            throw FailureType.REQUEST_BUDGET.failure(String.valueOf(busy.getMessage()));
        } catch (UnsupportedException none) {
            throw FailureType.NOT_SUPPORTED.failure(String.valueOf(none.getMessage()));
        } catch (RefusedException refused) {
            throw FailureType.CREDENTIALS_REFUSED.failure(String.valueOf(refused.getMessage()));
        } catch (IOException | StatusRuntimeException noAnswer) {
            throw Activity.wrap(noAnswer);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(interrupted);
        } finally {
            permits.release();
        }
    }
}
