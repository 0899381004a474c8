package dev.berth.workflows.worker;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.worker.WorkerStatus.Active;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Failed;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The broker sessions of a user's worker: the first, without which it serves nothing, and the
 * others on first use.
 */
final class WorkerSessions {
    private static final String NOT_OPENED = "its session could not be opened";

    private final AccountCredentials credentials =
            Workflow.newLocalActivityStub(AccountCredentials.class, WorkerPolicies.seal());
    private final Lifecycle lifecycle;
    private final Waits waits;

    WorkerSessions(Lifecycle lifecycle, Waits waits) {
        this.lifecycle = lifecycle;
        this.waits = waits;
    }

    /** How an attempt to open a session ended. */
    private sealed interface OpenResult {
        record Opened() implements OpenResult {}

        /**
         * The session is not open.
         *
         * @param isFinal the credentials are refused, or there are none: trying again soon changes
         *     nothing
         * @param isSilent the process did not take the call in hand, or fell silent over it
         */
        record Refused(String reason, boolean isFinal, boolean isSilent) implements OpenResult {}
    }

    /**
     * Opens the session of the account that is needed first, or of the next one if that cannot be:
     * then the worker is active. An account that is refused until later is tried only when all are.
     *
     * @return why no session could be opened; null when one is open
     */
    @Nullable
    Failed connect() {
        lifecycle.updateSessions(SessionAttempts::ofNewProcess);
        Map<AccountKey, String> failures = refusedUntilLater();
        boolean mayOpenLater = false;
        while (true) {
            Optional<AccountKey> next = lifecycle.state().accounts().stream()
                    .filter(account -> !failures.containsKey(account))
                    .findFirst();
            if (next.isEmpty() && !failures.isEmpty()) {
                return failed(failures, mayOpenLater);
            }
            if (next.isEmpty() || !(openWithRetries(next.get()) instanceof OpenResult.Refused refused)) {
                connected(next.orElse(null), failures);
                return null;
            }
            holdBack(next.get(), refused);
            failures.put(next.get(), refused.reason());
            mayOpenLater |= !refused.isFinal();
        }
    }

    /** Empty when all are. */
    private Map<AccountKey, String> refusedUntilLater() {
        Map<AccountKey, String> refused = lifecycle.sessions().refusals(WorkflowTasks.now());
        refused.keySet().retainAll(lifecycle.state().accounts());
        return refused.size() < lifecycle.state().accounts().size() ? refused : new LinkedHashMap<>();
    }

    private Failed failed(Map<AccountKey, String> failures, boolean mayOpenLater) {
        String reason = failures.size() == 1 ? failures.values().iterator().next() : byAccount(failures);
        Instant now = WorkflowTasks.now();
        if (!mayOpenLater) {
            return new Failed(now, reason, lifecycle.sessions().nextRetryAt(now));
        }
        int failed = lifecycle.sessions().failedConnects() + 1;
        lifecycle.updateSessions(sessions -> sessions.withFailedConnects(failed));
        return new Failed(now, reason, now.plus(WorkerPolicies.connectRetry(failed)));
    }

    private void connected(@Nullable AccountKey account, Map<AccountKey, String> failures) {
        lifecycle.updateSessions(sessions -> sessions.withFailedConnects(0));
        LiveWorker worker =
                account == null ? lifecycle.live() : lifecycle.live().with(account);
        lifecycle.become(new Active(WorkflowTasks.now(), worker, failures.isEmpty() ? null : byAccount(failures)));
    }

    private static String byAccount(Map<AccountKey, String> failures) {
        return failures.entrySet().stream()
                .map(failure -> failure.getKey() + ": " + failure.getValue())
                .collect(Collectors.joining("; "));
    }

    /**
     * A broker that is unavailable for a moment is asked again; one that refuses is not. A process
     * that hangs is given up.
     */
    private OpenResult openWithRetries(AccountKey account) {
        for (int attempt = 1; ; attempt++) {
            OpenResult opening = open(account);
            if (!(opening instanceof OpenResult.Refused refused)
                    || refused.isFinal()
                    || attempt == WorkerPolicies.CONNECT_ATTEMPTS) {
                return opening;
            }
            // A poll that an earlier process left behind may have taken the first call.
            if (attempt > 1 && refused.isSilent() && isSilent()) {
                lifecycle.suspectDeath("it fell silent before its session was open");
                throw new Waits.StepCanceled();
            }
            Instant now = WorkflowTasks.now();
            lifecycle.become(new Connecting(
                    now, now.plus(WorkerPolicies.OPEN_SESSION), lifecycle.live(), attempt + 1, refused.reason()));
            waits.pause(WorkerPolicies.connectPause(attempt), "then connect again");
        }
    }

    @Nullable
    Instant missingDueAt(Instant now) {
        return missing().isPresent() ? now : lifecycle.sessions().nextRetryAt(now);
    }

    /** An account that an order needs and that is not open, nor was tried in vain lately. */
    private Optional<AccountKey> missing() {
        Instant now = WorkflowTasks.now();
        return lifecycle.state().accounts().stream()
                .filter(account -> !lifecycle.live().sessions().contains(account))
                .filter(account -> !lifecycle.sessions().isHeld(account, now))
                .findFirst();
    }

    /** Opens the session of one more account. What cannot be opened is left alone for a while. */
    void openMissing() {
        AccountKey account = missing().orElseThrow();
        switch (open(account)) {
            case OpenResult.Opened _ -> replace(lifecycle.live().with(account), null);
            case OpenResult.Refused refused -> leaveOut(account, refused);
        }
    }

    void reloadCredentials(AccountKey account) {
        lifecycle.updateSessions(sessions -> sessions.newCredentials(account, WorkflowTasks.now()));
    }

    @Nullable
    Instant reloadDueAt(Instant now) {
        return lifecycle.sessions().nextReloadAt();
    }

    /** Gives the worker the new credentials of an account whose session is open. */
    void reload() {
        AccountKey account = lifecycle.sessions().dueReload(WorkflowTasks.now()).orElseThrow();
        lifecycle.updateSessions(sessions -> sessions.reloading(account));
        if (!mayBeOpen(account)) {
            return;
        }
        boolean isDone = false;
        try {
            isDone = switch (open(account)) {
                case OpenResult.Opened _ -> {
                    replace(lifecycle.live().with(account), lifecycle.status().reason());
                    yield true;
                }
                // The old credentials are void as well: their user replaced or removed them.
                case OpenResult.Refused refused -> refused.isFinal() && drop(account, refused);
            };
        } finally {
            if (!isDone) {
                Instant later = WorkflowTasks.now().plus(WorkerPolicies.FIRST_RETRY);
                lifecycle.updateSessions(sessions -> sessions.reloadAgainAt(account, later));
            }
        }
    }

    /** An adopted process may have sessions open that this lifecycle does not know. */
    private boolean mayBeOpen(AccountKey account) {
        return lifecycle.live().sessions().contains(account) || lifecycle.live().origin() == LiveWorker.Origin.ADOPTED;
    }

    /** False when the process did not answer: it is asked again until it does, or is found dead. */
    private boolean drop(AccountKey account, OpenResult.Refused refused) {
        try {
            WorkerControl control = control();
            long epoch = lifecycle.live().process().epoch();
            waits.call(() -> {
                control.dropSession(epoch, account);
                return true;
            });
        } catch (ActivityFailure silent) {
            return false;
        }
        leaveOut(account, refused);
        return true;
    }

    /** Orders of this account wait meanwhile: the state says why. */
    private void leaveOut(AccountKey account, OpenResult.Refused refused) {
        holdBack(account, refused);
        replace(lifecycle.live().without(account), account + ": " + refused.reason());
    }

    /** A refusal holds the account back by itself, for longer. */
    private void holdBack(AccountKey account, OpenResult.Refused refused) {
        if (!refused.isFinal()) {
            Instant later = WorkflowTasks.now().plus(WorkerPolicies.FIRST_RETRY);
            lifecycle.updateSessions(sessions -> sessions.retryAt(account, later));
        }
    }

    private void replace(LiveWorker worker, @Nullable String reason) {
        if (lifecycle.status() instanceof Active active) {
            lifecycle.become(new Active(active.since(), worker, reason));
        }
    }

    /** A call that another process took counts as no attempt. */
    private OpenResult open(AccountKey account) {
        WorkerProcess process = lifecycle.live().process();
        for (int misdirected = 0; ; misdirected++) {
            try {
                SealedCredentials sealed =
                        waits.call(() -> credentials.seal(lifecycle.userId(), account, process.publicKey()));
                WorkerControl control = control();
                waits.call(() -> {
                    control.openSession(process.epoch(), sealed);
                    return true;
                });
                lifecycle.updateSessions(sessions -> sessions.opened(account));
                WorkerMetrics.session(account.broker(), "opened");
                return new OpenResult.Opened();
            } catch (ActivityFailure failure) {
                if (misdirected == WorkerPolicies.MISDIRECTED || !FailureType.WRONG_EPOCH.isOf(failure.getCause())) {
                    OpenResult.Refused refused = refused(account, failure.getCause());
                    WorkerMetrics.session(account.broker(), refused.isFinal() ? "refused" : "failed");
                    return refused;
                }
            }
            waits.pause(WorkerPolicies.misdirectedPause(misdirected + 1), "then ask the right process");
        }
    }

    private OpenResult.Refused refused(AccountKey account, @Nullable Throwable cause) {
        if (cause instanceof ApplicationFailure refusal && refusal.isNonRetryable()) {
            String reason = String.valueOf(refusal.getOriginalMessage());
            lifecycle.updateSessions(sessions -> sessions.refused(account, reason, WorkflowTasks.now()));
            return new OpenResult.Refused(reason, true, false);
        }
        return switch (cause) {
            case null -> new OpenResult.Refused(NOT_OPENED, false, false);
            case ApplicationFailure failed ->
                new OpenResult.Refused(NOT_OPENED + ": " + failed.getOriginalMessage(), false, false);
            case Throwable other ->
                new OpenResult.Refused(NOT_OPENED + ": " + other.getMessage(), false, isSilence(other));
        };
    }

    /** A slow broker is no silence: the process sends activity heartbeats while it waits. */
    private static boolean isSilence(Throwable cause) {
        return cause instanceof TimeoutFailure timeout
                && (timeout.getTimeoutType() == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START
                        || timeout.getTimeoutType() == TimeoutType.TIMEOUT_TYPE_HEARTBEAT);
    }

    /**
     * Temporal itself may have been unavailable; then the process answers now, or another declines.
     */
    private boolean isSilent() {
        WorkerControl control = Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.ping(lifecycle.userId()));
        long epoch = lifecycle.live().process().epoch();
        try {
            waits.call(() -> {
                control.ping(epoch);
                return true;
            });
            return false;
        } catch (ActivityFailure failure) {
            return failure.getCause() instanceof TimeoutFailure;
        }
    }

    private WorkerControl control() {
        return Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.openSession(lifecycle.userId()));
    }
}
