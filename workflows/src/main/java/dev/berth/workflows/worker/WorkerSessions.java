package dev.berth.workflows.worker;

import dev.berth.workflows.Changes;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.Waiting;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The broker sessions of a user's worker: the first, without which it serves nothing, and the others on first use. */
final class WorkerSessions {
    /** Names a change of this code in histories. */
    private static final String RELOADS_ADOPTED = "reloads-adopted";

    private static final String REPLACES_THE_SILENT = "replaces-the-silent";

    private static final String NOT_OPENED = "its session could not be opened";

    private final AccountCredentials credentials =
            Workflow.newLocalActivityStub(AccountCredentials.class, WorkerPolicies.seal());
    private final Pauses retries = new Pauses(WorkerPolicies.FIRST_RETRY, WorkerPolicies.LAST_RETRY);
    /** Accounts with new credentials, and when to bring them. */
    private final Map<AccountKey, Instant> reloads = new LinkedHashMap<>();
    /** Accounts that could not be opened, and until when they are left alone. */
    private final Map<AccountKey, Instant> held = new HashMap<>();

    private final Lifecycle at;

    WorkerSessions(Lifecycle at) {
        this.at = at;
    }

    /** How an attempt to open a session ended. */
    private sealed interface Opening {
        record Opened() implements Opening {}

        /**
         * It is not open.
         *
         * @param isFinal the credentials are wrong, or there are none: trying again changes nothing
         * @param isSilent the process did not take it in hand, or fell silent over it
         */
        record Failed(String reason, boolean isFinal, boolean isSilent) implements Opening {
            Instant nextAttempt() {
                return isFinal ? Instant.MAX : Lifecycle.now().plus(WorkerPolicies.FIRST_RETRY);
            }
        }

        record Canceled() implements Opening {}
    }

    /**
     * Opens the session of the account that is needed first, or of the next one if that can not be: then it is active.
     *
     * @return what it came to if none could be opened; null when it is active, or dead, or wanted no more
     */
    WorkerStatus.@Nullable Failed connect() {
        held.clear();
        Map<AccountKey, String> failures = new LinkedHashMap<>();
        boolean mayCome = false;
        while (at.death() == null) {
            Optional<AccountKey> next = at.worker().accounts().stream()
                    .filter(account -> !failures.containsKey(account))
                    .findFirst();
            if (next.isEmpty() && !failures.isEmpty()) {
                Instant now = Lifecycle.now();
                return new WorkerStatus.Failed(now, together(failures), mayCome ? now.plus(retries.next()) : null);
            }
            switch (next.map(this::insist).orElseGet(Opening.Opened::new)) {
                case Opening.Opened _ -> {
                    retries.reset();
                    LiveWorker worker = next.map(at.live()::with).orElseGet(at::live);
                    String why = failures.isEmpty() ? null : byAccount(failures);
                    at.become(new WorkerStatus.Active(Lifecycle.now(), worker, why));
                    return null;
                }
                case Opening.Failed failed -> {
                    held.put(next.orElseThrow(), failed.nextAttempt());
                    failures.put(next.orElseThrow(), failed.reason());
                    mayCome |= !failed.isFinal();
                }
                case Opening.Canceled _ -> {
                    return null;
                }
            }
        }
        return null;
    }

    private static String together(Map<AccountKey, String> failures) {
        return failures.size() == 1 ? failures.values().iterator().next() : byAccount(failures);
    }

    private static String byAccount(Map<AccountKey, String> failures) {
        return failures.entrySet().stream()
                .map(failure -> failure.getKey() + ": " + failure.getValue())
                .collect(Collectors.joining("; "));
    }

    /** A broker that is away for a moment is asked again; one that refuses is not. A process that hangs is given up. */
    private Opening insist(AccountKey account) {
        Pauses pauses = new Pauses(WorkerPolicies.CONNECT_PAUSE, WorkerPolicies.FIRST_RETRY);
        for (int attempt = 1; ; attempt++) {
            Opening opening = open(account);
            if (!(opening instanceof Opening.Failed failed)
                    || failed.isFinal()
                    || attempt == WorkerPolicies.CONNECT_ATTEMPTS) {
                return opening;
            }
            // The first question may have gone to a poll that a process of before left behind.
            if (attempt > 1 && failed.isSilent() && Changes.isMade(REPLACES_THE_SILENT) && isSilent()) {
                at.suspectDeath("it fell silent before its session was open");
                return new Opening.Canceled();
            }
            at.connecting(at.live(), attempt + 1, failed.reason());
            Waiting.until(pauses.next(), "then connect again", () -> at.death() != null);
            if (at.death() != null) {
                return new Opening.Canceled();
            }
        }
    }

    /** An account that somebody needs and that is not open, nor was tried in vain lately. */
    Optional<AccountKey> missing() {
        Instant now = Lifecycle.now();
        return at.worker().accounts().stream()
                .filter(account -> !at.live().sessions().contains(account))
                .filter(account -> !now.isBefore(held.getOrDefault(account, Instant.MIN)))
                .findFirst();
    }

    /** Opens the session of one more account. What can not be opened is left alone for a while. */
    void openAnother(AccountKey account) {
        switch (open(account)) {
            case Opening.Opened _ -> {
                held.remove(account);
                replace(at.live().with(account), null);
            }
            case Opening.Failed failed -> leaveAlone(account, failed);
            case Opening.Canceled _ -> held.put(account, Lifecycle.now().plus(WorkerPolicies.FIRST_RETRY));
        }
    }

    void wantReload(AccountKey account) {
        held.remove(account);
        reloads.put(account, Instant.MIN);
    }

    /** What a run before was told of, and perhaps did not bring. Those that a process has already change nothing. */
    void wantReloads() {
        at.live().sessions().forEach(this::wantReload);
    }

    boolean hasReloads() {
        return dueReload().isPresent();
    }

    private Optional<AccountKey> dueReload() {
        Instant now = Lifecycle.now();
        return reloads.entrySet().stream()
                .filter(reload -> !now.isBefore(reload.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** When a reload that came to nothing is tried again; null without one. */
    @Nullable
    Instant reloadAt() {
        return reloads.values().stream().min(Comparator.naturalOrder()).orElse(null);
    }

    /** Gives the worker the new credentials of an account that it has open. */
    void reload() {
        AccountKey account = dueReload().orElseThrow();
        reloads.remove(account);
        if (!at.live().sessions().contains(account) && !mayBeOpen()) {
            return;
        }
        switch (open(account)) {
            case Opening.Opened _ ->
                replace(at.live().with(account), at.worker().status().reason());
            case Opening.Failed failed
            when failed.isFinal() -> {
                // The old ones are void as well: whoever stored others, or none, meant so.
                if (drop(account)) {
                    leaveAlone(account, failed);
                } else {
                    reloadLater(account);
                }
            }
            case Opening.Failed _, Opening.Canceled _ -> reloadLater(account);
        }
    }

    /** Nobody knows which accounts an adopted process had open before. */
    private boolean mayBeOpen() {
        return at.live().origin() == LiveWorker.Origin.ADOPTED && Changes.isMade(RELOADS_ADOPTED);
    }

    /** Somebody may have said so again meanwhile, which counts more. */
    private void reloadLater(AccountKey account) {
        reloads.putIfAbsent(account, Lifecycle.now().plus(WorkerPolicies.FIRST_RETRY));
    }

    /** Orders of this account wait meanwhile: the state says why. */
    private void leaveAlone(AccountKey account, Opening.Failed failed) {
        held.put(account, failed.nextAttempt());
        replace(at.live().without(account), account + ": " + failed.reason());
    }

    /** False when the process did not answer: it is asked again until it does, or is found dead. */
    private boolean drop(AccountKey account) {
        try {
            control().dropSession(at.live().process().epoch(), account);
            return true;
        } catch (ActivityFailure silent) {
            return false;
        }
    }

    private void replace(LiveWorker worker, @Nullable String reason) {
        if (at.worker().status() instanceof WorkerStatus.Active active) {
            at.become(new WorkerStatus.Active(active.since(), worker, reason));
        }
    }

    /** What another process took counts as no attempt. */
    private Opening open(AccountKey account) {
        Pauses pauses = new Pauses(WorkerPolicies.FIRST_MISDIRECTED, WorkerPolicies.LAST_MISDIRECTED);
        for (int misdirected = 0; ; misdirected++) {
            WorkerProcess process = at.live().process();
            try {
                SealedCredentials sealed = credentials.seal(at.userId(), account, process.publicKey());
                control().openSession(process.epoch(), sealed);
                return new Opening.Opened();
            } catch (ActivityFailure failure) {
                if (misdirected == WorkerPolicies.MISDIRECTED || !isMisdirected(failure)) {
                    return outcome(failure);
                }
            }
            if (Waiting.until(pauses.next(), "then ask the right process", () -> at.death() != null)) {
                return new Opening.Canceled();
            }
        }
    }

    private static boolean isMisdirected(ActivityFailure failure) {
        return failure.getCause() instanceof ApplicationFailure declined
                && WorkerControl.WRONG_EPOCH.equals(declined.getType())
                && WorkerStart.hearsWhoAttached();
    }

    private static Opening outcome(ActivityFailure failure) {
        return switch (failure.getCause()) {
            case ApplicationFailure refused
            when refused.isNonRetryable() ->
                new Opening.Failed(String.valueOf(refused.getOriginalMessage()), true, false);
            case CanceledFailure _ -> new Opening.Canceled();
            case null -> new Opening.Failed(NOT_OPENED, false, false);
            case ApplicationFailure failed ->
                new Opening.Failed(NOT_OPENED + ": " + failed.getOriginalMessage(), false, false);
            case Throwable cause -> new Opening.Failed(NOT_OPENED + ": " + cause.getMessage(), false, isSilence(cause));
        };
    }

    /** A broker that is slow is none: the process says all the while that it waits. */
    private static boolean isSilence(Throwable cause) {
        return cause instanceof TimeoutFailure timeout
                && (timeout.getTimeoutType() == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START
                        || timeout.getTimeoutType() == TimeoutType.TIMEOUT_TYPE_HEARTBEAT);
    }

    /** Temporal itself may have been away; then the process answers now, or another declines. */
    private boolean isSilent() {
        try {
            Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.ping(at.userId()))
                    .ping(at.live().process().epoch());
            return false;
        } catch (ActivityFailure failure) {
            return failure.getCause() instanceof TimeoutFailure;
        }
    }

    private WorkerControl control() {
        return Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.openSession(at.userId()));
    }
}
