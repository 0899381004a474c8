package dev.berth.host.account;

import dev.berth.host.broker.BrokerSession.OverBudgetException;
import dev.berth.host.broker.BrokerSession.UnsupportedException;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.host.order.Sessions;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports accounts after they changed: at most once a second each, so that many fills make one
 * report. What cannot be read or reported now is tried again.
 */
public final class AccountReporter {
    private static final Logger LOG = LoggerFactory.getLogger(AccountReporter.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Sessions sessions;
    private final WorkerGatewayClient gateway;
    private final Duration limit;
    private final Map<AccountKey, AccountChanges> changes = new ConcurrentHashMap<>();

    public AccountReporter(Sessions sessions, WorkerGatewayClient gateway, Duration limit) {
        this.sessions = sessions;
        this.gateway = gateway;
        this.limit = limit;
    }

    /** The account may have changed. Does not block. */
    public void changed(AccountKey account) {
        if (changes.computeIfAbsent(account, _ -> new AccountChanges()).add()) {
            Thread.ofVirtual().name("account-report").start(() -> {
                try {
                    reportAll(account);
                } catch (InterruptedException ending) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException failed) {
                    LOG.error("reports of {} ended", account.masked(), failed);
                    changes.remove(account);
                }
            });
        }
    }

    /** Every account whose session is open may have changed, if only in its market value. */
    public void allChanged() {
        sessions.accounts().forEach(account -> changed(AccountKey.parse(account)));
    }

    /** Until there is no change that is not reported. */
    private void reportAll(AccountKey account) throws InterruptedException {
        AccountChanges of = changes.computeIfAbsent(account, _ -> new AccountChanges());
        ExponentialBackoff pauses = new ExponentialBackoff(PERIOD, LONGEST_PAUSE);
        do {
            of.take();
            try {
                report(account, false);
                pauses.reset();
                Thread.sleep(PERIOD);
            } catch (OverBudgetException busy) {
                // What is shown keeps its age until the budget allows a newer one.
                of.add();
                Thread.sleep(PERIOD);
            } catch (UnsupportedException none) {
                LOG.debug("{} is not reported: {}", account.masked(), none.getMessage());
            } catch (ApplicationFailure closed) {
                LOG.debug("{} is not reported, its session is closed", account.masked());
            } catch (IOException | StatusRuntimeException unavailable) {
                if (isRefused(unavailable)) {
                    LOG.error("{} is not reported, the gateway refuses it", account.masked(), unavailable);
                    continue;
                }
                LOG.warn("{} is not reported yet: {}", account.masked(), unavailable.getMessage());
                of.add();
                Thread.sleep(pauses.next());
            }
        } while (!of.isDone());
    }

    /** Then another attempt would be refused, too. */
    private static boolean isRefused(Exception failed) {
        return failed instanceof StatusRuntimeException status
                && (status.getStatus().getCode() == Status.Code.INVALID_ARGUMENT
                        || status.getStatus().getCode() == Status.Code.PERMISSION_DENIED);
    }

    /**
     * Reads the account now, its open orders too, and reports it.
     *
     * @return the account is reported as it was at this time, or later
     * @throws OverBudgetException when the request budget leaves nothing for it
     * @throws ApplicationFailure when the account has no session here
     */
    Instant report(AccountKey account) throws IOException, InterruptedException {
        return report(account, true);
    }

    private Instant report(AccountKey account, boolean listsOrders) throws IOException, InterruptedException {
        AccountReport report = sessions.call(account, "reading", limit, session -> session.readAccount(listsOrders));
        gateway.reportAccount(report);
        return report.asOf();
    }
}
