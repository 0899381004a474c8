package dev.berth.api.codec;

import dev.berth.activities.codec.DerivedPayloadKeys;
import dev.berth.activities.temporal.LifecycleGateway;
import dev.berth.api.PeriodicTask;
import dev.berth.api.Roles;
import java.time.Duration;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Tells every lifecycle that a master key was added, so that its worker has the user's new key
 * before it encrypts, and that it encrypts now.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class PayloadKeyNotices extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final DerivedPayloadKeys keys;
    private final LifecycleGateway lifecycles;
    private String noticed;

    PayloadKeyNotices(DerivedPayloadKeys keys, LifecycleGateway lifecycles) {
        super("payload-key-notices", EVERY);
        this.keys = keys;
        this.lifecycles = lifecycles;
        // Several keys may have been one before this process started; a single key is known.
        this.noticed = keys.isSingle() ? keys.generation() : "";
    }

    @Override
    protected void round() {
        String generation = keys.generation();
        if (!generation.equals(noticed)) {
            // Another replica's notice of the same keys has the same id: the server takes one.
            lifecycles.signalAll("payloadKeysChanged", "payload-keys-" + generation);
            noticed = generation;
        }
    }
}
