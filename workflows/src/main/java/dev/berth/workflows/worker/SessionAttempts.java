package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.broker.AccountKey;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the worker's sessions wait for.
 *
 * @param accounts those with something to remember, the longest known first
 * @param failedConnects processes that could open no session, one after the other
 * @param activeReason why a needed account had no session when the worker was last active
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record SessionAttempts(
        List<AccountAttempts> accounts,
        int failedConnects,
        @Nullable String activeReason) implements SessionAttemptsBuilder.With {
    /** Those that are needed, and as many that are not and wait for a reload. */
    private static final int KEPT = 2 * WorkerState.MAX_ACCOUNTS;

    static final SessionAttempts NONE = new SessionAttempts(List.of(), 0, null);

    /**
     * One account's session.
     *
     * @param reloadAt when to give the worker the new credentials; absent when it has them
     * @param retryAt before this no order's need opens the session
     * @param refusal why the broker refused the credentials; its orders fail at once until they are
     *     tried again, at {@code retryAt}, or until others are stored
     * @param refusals one after the other
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record AccountAttempts(
            AccountKey account,
            @Nullable Instant reloadAt,
            @Nullable Instant retryAt,
            @Nullable String refusal,
            int refusals)
            implements SessionAttemptsAccountAttemptsBuilder.With {
        @JsonIgnore
        boolean isNothing() {
            return reloadAt == null && retryAt == null && refusal == null && refusals == 0;
        }

        /** What holds the session back concerns the process or the credentials before. */
        AccountAttempts free() {
            return withRetryAt(null).withRefusal(null);
        }

        private boolean isHeld(Instant now) {
            return retryAt != null && now.isBefore(retryAt);
        }
    }

    public SessionAttempts {
        accounts = accounts == null ? List.of() : List.copyOf(accounts);
    }

    /**
     * A new process opens sessions with the newest credentials, and at once: only a broker that
     * refused is left alone until its time.
     */
    SessionAttempts ofNewProcess() {
        List<AccountAttempts> left = accounts.stream()
                .map(one -> one.refusal() == null ? one.free() : one)
                .filter(one -> !one.isNothing())
                .toList();
        return withAccounts(left);
    }

    SessionAttempts opened(AccountKey account) {
        return with(account, one -> one.free().withRefusals(0));
    }

    /** A broker may err, or unlock an account: it is asked again, after longer each time. */
    SessionAttempts refused(AccountKey account, String reason, Instant now) {
        return with(account, one -> {
            int refusals = one.refusals() + 1;
            Instant retryAt = now.plus(WorkerPolicies.refusedRetry(refusals));
            return one.withRetryAt(retryAt).withRefusal(reason).withRefusals(refusals);
        });
    }

    SessionAttempts retryAt(AccountKey account, Instant time) {
        return with(account, one -> one.withRetryAt(time).withRefusal(null));
    }

    /** Other credentials were stored: what held the session back concerns the old ones. */
    SessionAttempts newCredentials(AccountKey account, Instant now) {
        return with(account, one -> one.free().withReloadAt(now).withRefusals(0));
    }

    SessionAttempts reloading(AccountKey account) {
        return with(account, one -> one.withReloadAt(null));
    }

    /** Credentials that were stored meanwhile are due earlier. */
    SessionAttempts reloadAgainAt(AccountKey account, Instant time) {
        return with(account, one -> one.reloadAt() == null ? one.withReloadAt(time) : one);
    }

    SessionAttempts without(Collection<AccountKey> forgotten) {
        return withAccounts(accounts.stream()
                .filter(one -> !forgotten.contains(one.account()))
                .toList());
    }

    private SessionAttempts with(AccountKey account, UnaryOperator<AccountAttempts> change) {
        AccountAttempts before = accounts.stream()
                .filter(one -> one.account().equals(account))
                .findFirst()
                .orElseGet(() -> new AccountAttempts(account, null, null, null, 0));
        List<AccountAttempts> all = Stream.concat(
                        accounts.stream().filter(one -> !one.account().equals(account)),
                        Stream.of(change.apply(before)))
                .filter(one -> !one.isNothing())
                .toList();
        return withAccounts(all.subList(Math.max(0, all.size() - KEPT), all.size()));
    }

    boolean isHeld(AccountKey account, Instant now) {
        return accounts.stream().filter(one -> one.account().equals(account)).anyMatch(one -> one.isHeld(now));
    }

    Optional<AccountKey> dueReload(Instant now) {
        return accounts.stream()
                .filter(one -> one.reloadAt() != null && !now.isBefore(one.reloadAt()))
                .map(AccountAttempts::account)
                .findFirst();
    }

    @Nullable
    Instant nextReloadAt() {
        return earliest(AccountAttempts::reloadAt);
    }

    /** When the next account is not held any more. */
    @Nullable
    Instant nextRetryAt(Instant now) {
        return earliest(one -> one.isHeld(now) ? one.retryAt() : null);
    }

    private @Nullable Instant earliest(Function<AccountAttempts, @Nullable Instant> time) {
        return accounts.stream()
                .map(time)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Accounts whose orders no worker can send now, each with the reason. */
    Map<AccountKey, String> refusals(Instant now) {
        Map<AccountKey, String> refusals = new LinkedHashMap<>();
        accounts.forEach(one -> {
            if (one.refusal() != null && one.isHeld(now)) {
                refusals.put(one.account(), one.refusal());
            }
        });
        return refusals;
    }
}
