package dev.berth.rest.stream;

import dev.berth.process.PeriodicTask;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Wakes the streams that lag behind their logs: an event may be lost, and none comes while Redis is
 * unavailable. One query for a thousand users, so that idle streams cost next to nothing.
 */
@Component
class StreamPositions extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(1);
    /** With Redis, a lost event costs at most so many rounds. */
    private static final int ROUNDS_WITH_REDIS = 5;

    private static final int USERS = 1_000;

    private final UserStreams streams;
    private int round;

    StreamPositions(UserStreams streams) {
        super("stream-positions", EVERY);
        this.streams = streams;
    }

    @Override
    protected void round() {
        round++;
        if (streams.isConnected() && round % ROUNDS_WITH_REDIS != 0) {
            return;
        }
        List<UserId> users =
                streams.open().stream().map(UserStream::userId).distinct().toList();
        for (int from = 0; from < users.size(); from += USERS) {
            wake(streams.log().last(users.subList(from, Math.min(from + USERS, users.size()))));
        }
    }

    private void wake(Map<UserId, Long> last) {
        for (UserStream stream : streams.open()) {
            if (last.getOrDefault(stream.userId(), 0L) > stream.position()) {
                stream.wake();
            }
        }
    }
}
