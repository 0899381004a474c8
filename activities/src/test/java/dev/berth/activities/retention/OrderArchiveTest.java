package dev.berth.activities.retention;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("X24")
class OrderArchiveTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @TempDir
    private Path folder;

    private final ArchiveSamples samples = new ArchiveSamples(postgres, redis);

    private List<JsonNode> lines(long number) {
        return new ArchiveFolder(folder).read(number).stream().map(Json::tree).toList();
    }

    private static List<String> ids(List<JsonNode> lines) {
        return lines.stream()
                .map(line -> line.path("order").path("client_order_id").asText())
                .toList();
    }

    @Test
    @DisplayName("A closed order leaves with all its steps and executions, in a file of its owner alone; its id stays")
    void closedOrderLeaves() throws Exception {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        OrderState before = new OrderReadModel(postgres.client())
                .find(ALICE, new ClientOrderId("o-1"))
                .orElseThrow();
        OrderArchive archive = samples.archive(folder);
        assertThat(archive.countDue()).isEqualTo(1);
        assertThat(archive.write()).isEqualTo(1);
        assertThat(samples.rows("o-1")).as("the file comes first").containsExactly(1, 2, 2, 0);
        assertThat(archive.delete(1)).isEqualTo(1);
        assertThat(samples.rows("o-1")).containsExactly(0, 0, 0, 1);

        JsonNode line = lines(1).getFirst();
        assertThat(Json.read(line.path("order").path("state").toString(), OrderState.class))
                .isEqualTo(before);
        assertThat(line.path("events")).hasSize(2);
        assertThat(line.path("fills").findValuesAsText("execution_id")).containsExactly("o-1-1", "o-1-2");
        Path file = folder.resolve("orders-000000001.jsonl.gz");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(archive.files())
                .singleElement()
                .isEqualTo(new OrderArchive.ArchivedFile(
                        1, "orders-000000001.jsonl.gz", ArchiveSamples.NOW, 1, Files.size(file)));
        assertThat(new OrderReadModel(postgres.client()).archive(ALICE, new ClientOrderId("o-1")))
                .contains(1L);
        assertThat(archive.write()).as("nothing is left to do").isNull();
        assertThat(archive.countDue()).isZero();
    }

    @Test
    @DisplayName("Open orders stay, however old, and closed ones until their time is over")
    void openAndRecentOrdersStay() {
        Instant limit = ArchiveSamples.NOW.minus(ArchiveSamples.TIMES.orders());
        samples.record("open", OrderStatus.NEW, NOON);
        samples.record("young", OrderStatus.FILLED, limit.plusMillis(1));
        samples.record("due", OrderStatus.CANCELED, limit.minusMillis(1));
        OrderArchive archive = samples.archive(folder);
        assertThat(archive.write()).isEqualTo(1);
        archive.delete(1);
        assertThat(ids(lines(1))).containsExactly("due");
        assertThat(samples.rows("open")).containsExactly(1, 2, 0, 0);
        assertThat(samples.rows("young")).containsExactly(1, 2, 2, 0);
    }

    @Test
    @DisplayName("A file whose deletion was lost is found again; none is written twice, and a deletion counts once")
    void fileOfLostDeletionIsFoundAgain() {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        samples.archive(folder).write();
        samples.record("o-2", OrderStatus.FILLED, NOON.minusSeconds(1));
        OrderArchive next = samples.archive(folder);
        assertThat(next.write()).isEqualTo(1);
        assertThat(ids(lines(1))).containsExactly("o-1");
        assertThat(next.delete(1)).isEqualTo(1);
        assertThat(next.delete(1)).as("the answer was lost").isEqualTo(1);
        assertThat(next.write()).isEqualTo(2);
        assertThat(ids(lines(2))).containsExactly("o-2");
    }

    @Test
    @DisplayName("An attempt that comes late does not replace the file of the one before it")
    void lateAttemptReplacesNoFile() {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        OrderArchive archive = samples.archive(folder);
        archive.write();
        new ArchiveFolder(folder).write(1, List.of("{}"));
        assertThat(ids(lines(1))).containsExactly("o-1");
        assertThat(folder).isDirectoryNotContaining("glob:**.unfinished*");
    }

    @Test
    @DisplayName("An order that changes after its file was written stays, and leaves with a later file")
    void changedOrderLeavesWithLaterFile() {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        samples.record("o-2", OrderStatus.FILLED, NOON);
        OrderArchive archive = samples.archive(folder);
        archive.write();
        postgres.client().update("UPDATE fills SET busted = true WHERE execution_id = 'o-2-1'");
        assertThat(archive.delete(1)).isEqualTo(1);
        assertThat(samples.rows("o-1")).containsExactly(0, 0, 0, 1);
        assertThat(samples.rows("o-2")).containsExactly(1, 2, 2, 0);
        assertThat(archive.write()).isEqualTo(2);
        assertThat(lines(2).getFirst().path("fills").get(0).path("busted").asBoolean())
                .isTrue();
    }

    @Test
    @DisplayName("Nothing is deleted for a file that is cut short, damaged or missing")
    void damagedFileDeletesNothing() throws Exception {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        OrderArchive archive = samples.archive(folder);
        archive.write();
        Path file = folder.resolve(ArchiveFolder.name(1));
        byte[] whole = Files.readAllBytes(file);
        byte[] changed = whole.clone();
        changed[whole.length / 2] ^= 1;
        for (byte[] content : List.of(Arrays.copyOf(whole, whole.length - 5), changed)) {
            Files.write(file, content);
            assertThatThrownBy(() -> archive.delete(1)).isInstanceOf(UncheckedIOException.class);
        }
        Files.delete(file);
        assertThatThrownBy(() -> archive.delete(1)).isInstanceOf(UncheckedIOException.class);
        assertThat(samples.rows("o-1")).containsExactly(1, 2, 2, 0);
    }

    @Test
    @DisplayName("After a restore of PostgreSQL the files of that time are gone through again, and none is written")
    void restoreWritesNoFileAgain() {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        OrderArchive archive = samples.archive(folder);
        archive.write();
        archive.delete(1);
        postgres.owner().execute("TRUNCATE archive_files, archived_orders");
        samples.record("o-2", OrderStatus.FILLED, NOON);
        assertThat(archive.write()).isEqualTo(1);
        assertThat(archive.delete(1)).as("o-1 is not restored here").isZero();
        assertThat(archive.write()).isEqualTo(2);
        assertThat(ids(lines(2))).containsExactly("o-2");
    }

    @Test
    @DisplayName("Client order ids are forgotten two years after their orders left, and not a day earlier")
    void clientOrderIdsAreForgottenAfterTwoYears() {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        OrderArchive archive = samples.archive(folder);
        archive.write();
        archive.delete(1);
        samples.archive(folder, ArchiveSamples.NOW.plus(Duration.ofDays(729))).forgetOrderIds();
        assertThat(samples.rows("o-1")).containsExactly(0, 0, 0, 1);
        samples.archive(folder, ArchiveSamples.NOW.plus(Duration.ofDays(731))).forgetOrderIds();
        assertThat(samples.rows("o-1")).containsExactly(0, 0, 0, 0);
        assertThat(archive.files()).as("the file stays").hasSize(1);
    }

    @Test
    @DisplayName("What a killed attempt left unfinished is removed by a later one, an hour later")
    void unfinishedFilesAreRemoved() throws Exception {
        Path abandoned = Files.createFile(folder.resolve(".unfinished-1.gz"));
        Path inWork = Files.createFile(folder.resolve(".unfinished-2.gz"));
        Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        samples.record("o-1", OrderStatus.FILLED, NOON);
        samples.archive(folder).write();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(inWork, folder.resolve(ArchiveFolder.name(1)));
        }
    }

    @Test
    @DisplayName("An execution that is booked while its order is archived keeps the order in PostgreSQL")
    void lateExecutionKeepsOrder() {
        samples.record("o-1", OrderStatus.FILLED, NOON);
        OrderArchive archive = samples.archive(folder);
        assertThat(archive.write()).isEqualTo(1);
        CompletableFuture<Integer> deleted = new CompletableFuture<>();
        postgres.transactions().executeWithoutResult(_ -> {
            postgres.client().queryForList("SELECT state FROM orders WHERE client_order_id = 'o-1' FOR UPDATE");
            postgres.client().update("""
                            INSERT INTO fills SELECT user_id, client_order_id, 'late', order_version, quantity, price, at, busted
                            FROM fills WHERE execution_id = 'o-1-1'
                            """);
            Thread.ofVirtual().start(() -> deleted.complete(archive.delete(1)));
            await().until(() -> !postgres.owner()
                    .queryForList("SELECT 1 FROM pg_locks WHERE NOT granted")
                    .isEmpty());
        });
        assertThat(deleted.join()).isZero();
        assertThat(samples.rows("o-1")).containsExactly(1, 2, 3, 0);
    }
}
