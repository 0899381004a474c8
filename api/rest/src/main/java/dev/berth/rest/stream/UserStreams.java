package dev.berth.rest.stream;

import dev.berth.activities.order.UserEvent;
import dev.berth.activities.order.UserEventLog;
import dev.berth.rest.account.AccountReads;
import dev.berth.rest.order.OrderChangeListener;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The open streams of this process, and what they share. */
@Component
class UserStreams {
    private final UserEventLog log;
    private final OrderChangeListener changes;
    private final WorkerWatch workers;
    private final AccountReads accounts;
    private final JsonMapper json;
    private final InstantSource clock;
    private final Set<UserStream> open = ConcurrentHashMap.newKeySet();

    UserStreams(
            UserEventLog log,
            OrderChangeListener changes,
            WorkerWatch workers,
            AccountReads accounts,
            JsonMapper json,
            InstantSource clock) {
        this.log = log;
        this.changes = changes;
        this.workers = workers;
        this.accounts = accounts;
        this.json = json;
        this.clock = clock;
    }

    void add(UserStream stream) {
        open.add(stream);
    }

    void remove(UserStream stream) {
        open.remove(stream);
    }

    Set<UserStream> open() {
        return open;
    }

    UserEventLog log() {
        return log;
    }

    WorkerWatch workers() {
        return workers;
    }

    OrderChangeListener.Subscription subscribe(UserId userId) throws InterruptedException {
        return changes.subscribe(userId);
    }

    boolean isConnected() {
        return changes.isConnected();
    }

    String json(UserId userId, UserEvent event) {
        return json(StreamMessage.of(
                event, new AccountMessages((account, reported) -> accounts.view(userId, account, reported))));
    }

    String json(StreamMessage message) {
        return json.writeValueAsString(message);
    }

    Instant now() {
        return clock.instant();
    }
}
