package dev.berth.rest.account;

import dev.berth.activities.account.AccountPart;
import dev.berth.activities.account.AccountReadModel;
import dev.berth.activities.account.AccountReadModel.Reported;
import dev.berth.activities.account.ReportedAccounts;
import dev.berth.rest.Problem;
import dev.berth.rest.broker.Brokers;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPolicies;
import dev.berth.workflows.broker.AccountKey;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisException;
import io.temporal.client.WorkflowServiceException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Reads accounts: as a worker reported them last or, when asked, through the worker. */
@Component
public class AccountReads {
    private final AccountReadModel accounts;
    private final ReportedAccounts reports;
    private final AccountCalls calls;
    private final AccountChoice choice;

    AccountReads(AccountReadModel accounts, ReportedAccounts reports, AccountCalls calls, AccountChoice choice) {
        this.choice = choice;
        this.accounts = accounts;
        this.reports = reports;
        this.calls = calls;
    }

    /**
     * How new an answer has to be.
     *
     * @param fresh only what the broker says after the request
     * @param patience how long to wait for that; without {@code fresh} an older answer is better
     *     than none
     */
    record Freshness(boolean fresh, Duration patience) {
        boolean asksWorker() {
            return fresh || patience.isPositive();
        }

        Duration within() {
            return patience.isPositive() ? patience : AccountPolicies.DEFAULT_WAIT;
        }
    }

    /**
     * One part of an account.
     *
     * @throws Problem.Refusal when there is none that is new enough
     */
    <T> Reported<T> part(UserId userId, AccountKey account, AccountPart<T> part, Freshness freshness) {
        choice.of(userId, account);
        Brokers.requireRead(account, part.read());
        Instant before = freshness.fresh()
                ? accounts.find(userId, account, part).map(Reported::asOf).orElse(Instant.MIN)
                : Instant.MIN;
        refresh(userId, account, freshness);
        Reported<T> reported = accounts.find(userId, account, part)
                .orElseThrow(() -> Problem.ACCOUNT_NOT_READ.because("No worker has read account " + account
                        + " yet. Ask with ?fresh=true, which starts a worker, or submit an order."));
        if (freshness.fresh() && !reported.asOf().isAfter(before)) {
            throw Problem.ACCOUNT_UNAVAILABLE.because("The worker's report was lost on its way. Repeat the call.");
        }
        return reported;
    }

    /** Leaves the read model with what the broker said after this call, if that is asked for. */
    private void refresh(UserId userId, AccountKey account, Freshness freshness) {
        if (!freshness.asksWorker()) {
            return;
        }
        try {
            calls.read(userId, account, freshness.within());
            // The report is in Redis by then.
            reports.record(userId, account);
        } catch (Problem.Refusal | WorkflowServiceException | StatusRuntimeException | RedisException refused) {
            if (freshness.fresh()) {
                throw refused;
            }
        }
    }

    AccountOrdersView orders(UserId userId, AccountKey account, Freshness freshness) {
        return view(userId, account, part(userId, account, AccountPart.ORDERS, freshness));
    }

    /** As its user sees it. */
    public AccountOrdersView view(UserId userId, AccountKey account, Reported<List<AccountOrder>> reported) {
        Set<ClientOrderId> ids = reported.content().stream()
                .map(AccountOrdersView::id)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        return AccountOrdersView.of(reported, ids.isEmpty() ? Set.of() : accounts.own(userId, account, ids));
    }
}
