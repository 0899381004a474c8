package dev.berth.activities.broker;

import dev.berth.temporal.codec.HandedKey;
import dev.berth.workflows.UserId;
import java.util.List;

/** The payload keys that travel to a user's worker with its credentials. */
@FunctionalInterface
public interface WorkerPayloadKeys {
    /** For workers to which payloads come in clear. */
    WorkerPayloadKeys NONE = _ -> List.of();

    /** The user's own; the first encrypts. */
    List<HandedKey> of(UserId userId);
}
