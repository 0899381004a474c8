package dev.berth.routing.heartbeat;

import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.workflows.RedisKeys;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat of a live worker: the hash of {@link RedisKeys#metadata}, which this class writes
 * and reads.
 *
 * @param taskArn null without a heartbeat
 * @param epoch of the worker; 0 without a heartbeat
 * @param ageMillis since the last renewal; null if the key expired, or is not known
 * @param currentOrder the client order id of the current order
 * @param idleAt when the worker stops unless an order comes or works at a venue; null during an
 *     order
 * @param sessions the accounts whose sessions are open
 * @param requestsUsed of the broker's request limit, percent, of the account that has used most;
 *     null when the worker does not say
 * @param launchedAt when its process started
 * @param version of its program
 */
public record WorkerHeartbeat(
        @Nullable String taskArn,
        long epoch,
        @Nullable Long ageMillis,
        @Nullable String currentOrder,
        @Nullable Instant lastOrderAt,
        @Nullable Instant idleAt,
        List<String> sessions,
        @Nullable Integer requestsUsed,
        @Nullable Instant launchedAt,
        @Nullable String version) {
    public static final WorkerHeartbeat NONE = of(Map.of(), null);

    static final String EPOCH = "epoch";
    private static final String TASK_ARN = "task_arn";
    private static final String INSTANCE_ID = "instance_id";
    private static final String HOST = "host";
    private static final String LAUNCHED_AT = "launched_at";
    private static final String VERSION = "version";
    private static final String PID = "pid";
    private static final String CURRENT_ORDER = "current_order";
    private static final String LAST_ORDER_AT = "last_order_at";
    private static final String IDLE_AT = "idle_at";
    private static final String SESSIONS = "sessions";
    private static final String REQUESTS_USED = "requests_used";

    /** All fields and their values, in turn. */
    public static List<String> fields(String taskArn, long epoch, HeartbeatRequest request) {
        return Stream.concat(
                        Stream.of(
                                TASK_ARN,
                                taskArn,
                                EPOCH,
                                Long.toString(epoch),
                                INSTANCE_ID,
                                request.host(),
                                HOST,
                                request.host(),
                                LAUNCHED_AT,
                                request.launchedAt(),
                                VERSION,
                                request.version(),
                                PID,
                                Long.toString(request.pid())),
                        fields(request.activity()).stream())
                .toList();
    }

    /** The fields that say what the worker does, and their values, in turn. */
    public static List<String> fields(ReportedActivity activity) {
        return List.of(
                CURRENT_ORDER,
                activity.currentOrder(),
                LAST_ORDER_AT,
                activity.lastOrderAt(),
                IDLE_AT,
                activity.idleAt(),
                SESSIONS,
                activity.sessions(),
                REQUESTS_USED,
                Integer.toString(activity.requestsUsed()));
    }

    /** Reads the hash. What cannot be read counts as absent. */
    public static WorkerHeartbeat of(Map<String, String> metadata, @Nullable Long ageMillis) {
        return new WorkerHeartbeat(
                text(metadata.get(TASK_ARN)),
                number(metadata.getOrDefault(EPOCH, "0")),
                ageMillis,
                text(metadata.get(CURRENT_ORDER)),
                time(metadata.getOrDefault(LAST_ORDER_AT, "")),
                time(metadata.getOrDefault(IDLE_AT, "")),
                Stream.of(metadata.getOrDefault(SESSIONS, "").split("[,\\s]+"))
                        .filter(session -> !session.isBlank())
                        .toList(),
                metadata.containsKey(REQUESTS_USED) ? (int) number(metadata.get(REQUESTS_USED)) : null,
                time(metadata.getOrDefault(LAUNCHED_AT, "")),
                text(metadata.get(VERSION)));
    }

    private static @Nullable String text(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    private static @Nullable Instant time(String text) {
        try {
            return text.isBlank() ? null : Instant.parse(text);
        } catch (DateTimeException foreign) {
            return null;
        }
    }
}
