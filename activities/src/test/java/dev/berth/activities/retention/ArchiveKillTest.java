package dev.berth.activities.retention;

import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Kill -9 in the middle of the archive. */
class ArchiveKillTest {
    private static final int ORDERS = 4 * OrderArchive.BATCH + 1;

    private static final String COPY_ORDERS = """
            INSERT INTO orders SELECT user_id, 'o-' || n, request_hash, symbol, status, revision, submitted_at, state
            FROM orders, generate_series(1, %s) n WHERE client_order_id = 'o-0'
            """.formatted(ORDERS - 1);

    private static final String COPY_EVENTS = """
            INSERT INTO order_events SELECT user_id, 'o-' || n, revision, at, state
            FROM order_events, generate_series(1, %s) n WHERE client_order_id = 'o-0'
            """.formatted(ORDERS - 1);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @TempDir
    private Path folder;

    private Process archive() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ArchiveProcess.class.getName(),
                        ((PGSimpleDataSource) postgres.database()).getUrl(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(
                        folder.resolveSibling(folder.getFileName() + ".log").toFile())
                .start();
    }

    private long files(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .count();
        }
    }

    private int count(String expression, String table) {
        return Objects.requireNonNull(
                postgres.client().queryForObject("SELECT " + expression + " FROM " + table, Integer.class));
    }

    private int committed() {
        return count("count(*)", "archive_files");
    }

    private void killWhen(Callable<Boolean> moment) throws Exception {
        Process process = archive();
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(60))
                .until(() -> moment.call() || !process.isAlive());
        process.destroyForcibly().waitFor();
    }

    @Test
    @Tag("X24")
    @DisplayName("Killed while it writes, before it deletes and while it deletes, the archive has each order once")
    void killedAtAnyMoment() throws Exception {
        new ArchiveSamples(postgres, redis).record("o-0", OrderStatus.CANCELED, NOON);
        postgres.client().update(COPY_ORDERS);
        postgres.client().update(COPY_EVENTS);
        int interrupted = 0;
        for (int kill = 0; kill < 2; kill++) {
            long unfinished = files(".unfinished");
            killWhen(() -> files(".unfinished") > unfinished);
            interrupted += files(".unfinished") > unfinished ? 1 : 0;
            killWhen(() -> files("orders-") > committed());
            interrupted += files("orders-") > committed() ? 1 : 0;
        }
        assertThat(interrupted).as("kills that hit a file in work").isPositive();
        Process last = archive();
        assertThat(last.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(last.exitValue()).isZero();

        List<String> ids = new ArrayList<>();
        LongStream.rangeClosed(1, committed())
                .mapToObj(new ArchiveFolder(folder)::read)
                .flatMap(List::stream)
                .map(Json::tree)
                .peek(line -> assertThat(line.path("events")).hasSize(2))
                .forEach(line ->
                        ids.add(line.path("order").path("client_order_id").asText()));
        assertThat(ids).hasSize(ORDERS).doesNotHaveDuplicates();
        assertThat(files("orders-")).isEqualTo(committed());
        assertThat(count("sum(orders)", "archive_files")).isEqualTo(ORDERS);
        assertThat(count("count(*)", "archived_orders")).isEqualTo(ORDERS);
        assertThat(count("count(*)", "orders")).isZero();
        assertThat(count("count(*)", "order_events")).isZero();
    }
}
