package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.routing.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisWatchTest {
    @Test
    @Tag("X6")
    @DisplayName("A Redis that refuses writes counts as an outage")
    void refusedWriteIsOutage() throws Exception {
        try (TestRedis server = new TestRedis()) {
            RedisOutages outages = new RedisOutages(Duration.ofSeconds(1));
            RedisWorkerHeartbeats heartbeats = new RedisWorkerHeartbeats(server.commands(), outages);
            RedisWatch watch = new RedisWatch(server.connection(), outages);
            watch.start();
            try {
                await().until(() -> !heartbeats.proveNothing());
                // The server has no replicas, so it refuses writes.
                server.commands().configSet("min-replicas-to-write", "1");
                await().until(heartbeats::proveNothing);
                server.commands().configSet("min-replicas-to-write", "0");
                await().until(() -> !heartbeats.proveNothing());
            } finally {
                watch.stop();
            }
            assertThat(watch.isRunning()).isFalse();
        }
    }
}
