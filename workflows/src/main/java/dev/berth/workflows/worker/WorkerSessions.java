package dev.berth.workflows.worker;

import dev.berth.workflows.Pauses;
import dev.berth.workflows.Waiting;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The broker sessions of a user's worker: the first, without which it serves nothing, and the others on first use. */
final class WorkerSessions {
    private final AccountCredentials credentials =
            Workflow.newLocalActivityStub(AccountCredentials.class, WorkerPolicies.quick());
    private final Pauses retries = new Pauses(WorkerPolicies.FIRST_RETRY, WorkerPolicies.LAST_RETRY);
    private final Queue<AccountKey> reloads = new ArrayDeque<>();
    /** Accounts that could not be opened, and until when they are left alone. */
    private final Map<AccountKey, Instant> held = new HashMap<>();

    private final Lifecycle at;

    WorkerSessions(Lifecycle at) {
        this.at = at;
    }

    /** How an attempt to open a session ended. */
    private sealed interface Opening {
        record Opened() implements Opening {}

        /** The credentials are wrong, or there are none. Trying again changes nothing. */
        record Refused(String reason) implements Opening {}

        record Failed(String reason) implements Opening {}

        record Canceled() implements Opening {}
    }

    /**
     * Opens the session of the account that is needed first: then the worker is active.
     *
     * @return what it came to if it was given up; null when it is active, or dead, or wanted no more
     */
    WorkerStatus.@Nullable Failed connect() {
        Optional<AccountKey> first = at.worker().accounts().stream().findFirst();
        Pauses pauses = new Pauses(WorkerPolicies.CONNECT_PAUSE, WorkerPolicies.FIRST_RETRY);
        for (int attempt = 1; at.death() == null; attempt++) {
            switch (first.map(this::open).orElseGet(Opening.Opened::new)) {
                case Opening.Opened _ -> {
                    retries.reset();
                    held.clear();
                    LiveWorker worker = first.map(at.live()::with).orElseGet(at::live);
                    at.become(new WorkerStatus.Active(Lifecycle.now(), worker));
                    return null;
                }
                case Opening.Refused(var reason) -> {
                    return new WorkerStatus.Failed(Lifecycle.now(), reason, null);
                }
                case Opening.Failed(var reason) -> {
                    if (attempt == WorkerPolicies.CONNECT_ATTEMPTS) {
                        Instant now = Lifecycle.now();
                        return new WorkerStatus.Failed(now, reason, now.plus(retries.next()));
                    }
                    at.connecting(at.live(), attempt + 1, reason);
                    Waiting.until(pauses.next(), "then connect again", () -> at.death() != null);
                }
                case Opening.Canceled _ -> {
                    return null;
                }
            }
        }
        return null;
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
            case Opening.Refused(var reason) -> leaveAlone(account, Instant.MAX, reason);
            case Opening.Failed(var reason) ->
                leaveAlone(account, Lifecycle.now().plus(WorkerPolicies.FIRST_RETRY), reason);
            case Opening.Canceled _ -> held.put(account, Lifecycle.now().plus(WorkerPolicies.FIRST_RETRY));
        }
    }

    void wantReload(AccountKey account) {
        held.remove(account);
        reloads.add(account);
    }

    boolean hasReloads() {
        return !reloads.isEmpty();
    }

    /** Gives the worker the new credentials of an account that it has open. */
    void reload() {
        AccountKey account = reloads.remove();
        if (!at.live().sessions().contains(account)) {
            return;
        }
        if (open(account) instanceof Opening.Refused(var reason)) {
            // The old ones are void as well: whoever stored others, or none, meant so.
            leaveAlone(account, Instant.MAX, reason);
            drop(account);
        }
    }

    /** Orders of this account wait meanwhile: the state says why. */
    private void leaveAlone(AccountKey account, Instant until, String reason) {
        held.put(account, until);
        replace(at.live().without(account), account + ": " + reason);
    }

    private void drop(AccountKey account) {
        try {
            control().dropSession(at.live().process().epoch(), account);
        } catch (ActivityFailure gone) {
            // A process that is gone has no sessions.
        }
    }

    private void replace(LiveWorker worker, @Nullable String reason) {
        if (at.worker().status() instanceof WorkerStatus.Active active) {
            at.become(new WorkerStatus.Active(active.since(), worker, reason));
        }
    }

    private Opening open(AccountKey account) {
        WorkerProcess process = at.live().process();
        try {
            SealedCredentials sealed = credentials.seal(at.userId(), account, process.publicKey());
            control().openSession(process.epoch(), sealed);
            return new Opening.Opened();
        } catch (ActivityFailure failure) {
            return switch (failure.getCause()) {
                case ApplicationFailure refused
                when refused.isNonRetryable() -> new Opening.Refused(String.valueOf(refused.getOriginalMessage()));
                case CanceledFailure _ -> new Opening.Canceled();
                case null -> new Opening.Failed("its session could not be opened");
                case ApplicationFailure failed ->
                    new Opening.Failed("its session could not be opened: " + failed.getOriginalMessage());
                case Throwable cause -> new Opening.Failed("its session could not be opened: " + cause.getMessage());
            };
        }
    }

    private WorkerControl control() {
        return Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.openSession(at.userId()));
    }
}
