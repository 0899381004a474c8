package dev.berth.orchestrator.webhook;

import dev.berth.activities.webhook.WebhookStore;
import dev.berth.process.PeriodicTask;
import dev.berth.temporal.client.LifecycleIndex;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * Copies from Temporal to PostgreSQL whose workers die too often, since PostgreSQL makes the
 * messages. Every replica may do so.
 */
@Component
class AttentionWatch extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final LifecycleIndex lifecycles;
    private final WebhookStore store;

    AttentionWatch(LifecycleIndex lifecycles, WebhookStore store) {
        super("attention-watch", EVERY);
        this.lifecycles = lifecycles;
        this.store = store;
    }

    @Override
    protected void round() {
        store.putWorkersInAttention(lifecycles.crashLooping());
    }
}
