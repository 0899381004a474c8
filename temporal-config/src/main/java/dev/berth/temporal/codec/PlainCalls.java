package dev.berth.temporal.codec;

import io.temporal.payload.context.ActivitySerializationContext;
import io.temporal.payload.context.SerializationContext;
import java.util.Set;

/**
 * The activities that a worker must read before it has its user's key, which {@code openSession}
 * brings. Their arguments hold an epoch, and credentials that are sealed to the process.
 */
final class PlainCalls {
    private static final Set<String> BEFORE_KEY = Set.of("attach", "openSession", "ping", "closeSession");

    private PlainCalls() {}

    static boolean contains(SerializationContext context) {
        return context instanceof ActivitySerializationContext activity
                && !activity.isLocal()
                && BEFORE_KEY.contains(activity.getActivityType());
    }
}
