package dev.berth.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerMarks;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisWatchTest {

    @Test
    @DisplayName("X6 a Redis that answers but refuses to write is away: no mark can be renewed there")
    void refusesToWrite(@TempDir Path folder) throws Exception {
        try (ToldServers servers = ToldServers.start(folder)) {
            RedisOutages outages = new RedisOutages(Duration.ofSeconds(1));
            RedisWorkerMarks marks = new RedisWorkerMarks(servers.redis().sync(), outages);
            RedisWatch watch = new RedisWatch(servers.redis(), outages);
            watch.start();
            try {
                await().until(() -> !marks.proveNothing());
                // Replicas that it does not have.
                servers.redis().sync().configSet("min-replicas-to-write", "1");
                await().until(marks::proveNothing);
                servers.redis().sync().configSet("min-replicas-to-write", "0");
                await().until(() -> !marks.proveNothing());
            } finally {
                watch.stop();
            }
            assertThat(watch.isRunning()).isFalse();
        }
    }
}
