package dev.berth.activities.audit;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.activities.ActivitySamples.BOB;
import static dev.berth.activities.audit.AuditSamples.OLGA;
import static dev.berth.activities.audit.AuditSamples.rows;
import static dev.berth.activities.audit.AuditSamples.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.SuspensionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;

class AuditLogTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final AuditLog audit = new AuditLog(postgres.client(), postgres.transactions());
    private final SuspensionStore suspensions = new SuspensionStore(postgres.client(), postgres.transactions());

    @Test
    @Tag("X29")
    @DisplayName("A row says who, what, when and why, and holds the hash of the row before")
    void rowsAreChained() {
        audit.request(stop("margin call"));
        AuditActor bob = new AuditActor("bob", "", null);
        audit.change(
                new AuditEntry(bob, AuditAction.RESUME_ALL, null, "up"),
                () -> suspensions.change(null, false, "up", "bob"));
        List<AuditRow> rows = rows(audit);
        AuditRow first = rows.getFirst();
        AuditRow second = rows.getLast();
        assertThat(first.at()).isCloseTo(Instant.now(), within(Duration.ofMinutes(1)));
        assertThat(first)
                .isEqualTo(new AuditRow(
                        1,
                        first.at(),
                        "olga",
                        "fleet",
                        "STOP_WORKER",
                        "alice",
                        "REQUESTED",
                        "margin call",
                        "r-1",
                        AuditChain.START,
                        AuditChain.hash(first)));
        assertThat(second)
                .isEqualTo(new AuditRow(
                        2,
                        second.at(),
                        "bob",
                        "",
                        "RESUME_ALL",
                        null,
                        "DONE",
                        "up",
                        null,
                        first.hash(),
                        AuditChain.hash(second)));
        assertThat(audit.verify(null)).isEqualTo(new AuditVerification(2, second.hash(), null));
    }

    @Test
    @Tag("X29")
    @DisplayName("Any text is stored as it is hashed, without what a terminal would obey")
    void textIsStored() {
        audit.request(stop("Zürich 7:x|-, 🚢\u001b[2J\u0000"));
        assertThat(rows(audit).getFirst().detail()).isEqualTo("Zürich 7:x|-, 🚢\uFFFD[2J\uFFFD");
        assertThat(audit.verify(null).isIntact()).isTrue();
        assertThat(new AuditActor("o".repeat(300), "", null).subject()).hasSize(AuditActor.MAX_LENGTH);
    }

    @Test
    @Tag("X29")
    @DisplayName("Writers at the same time make one chain without a gap")
    void concurrentWriters() throws Exception {
        int writers = 8;
        long each = 25;
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                String name = "writer " + i;
                done.add(threads.submit(() -> {
                    for (int row = 0; row < each; row++) {
                        audit.change(stop(name), () -> suspensions.change(null, true, name, "olga"));
                    }
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
        }
        List<AuditRow> rows = rows(audit);
        assertThat(rows.stream().map(AuditRow::number))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, writers * each).boxed().toList());
        assertThat(rows.stream().map(AuditRow::at)).isSorted();
        assertThat(audit.verify(null))
                .isEqualTo(new AuditVerification(writers * each, rows.getLast().hash(), null));
    }

    @Test
    @Tag("X29")
    @DisplayName("A change and its row are stored together, or neither is")
    void changeAndRowAreOne() {
        assertThatThrownBy(() -> audit.change(stop("fails"), () -> {
                    suspensions.change(null, true, "fails", "olga");
                    throw new IllegalStateException("after the change");
                }))
                .hasMessage("after the change");
        assertThat(rows(audit)).isEmpty();
        postgres.owner().execute("REVOKE INSERT ON audit FROM berth_api");
        try {
            assertThatThrownBy(() ->
                            audit.change(stop("refused"), () -> suspensions.change(null, true, "refused", "olga")))
                    .isInstanceOf(DataAccessException.class);
            assertThatThrownBy(() -> audit.request(stop("refused"))).isInstanceOf(DataAccessException.class);
        } finally {
            postgres.owner().execute("GRANT INSERT ON audit TO berth_api");
        }
        assertThat(suspensions.newest(null)).isEmpty();
        assertThat(rows(audit)).isEmpty();
    }

    @Test
    @Tag("X29")
    @DisplayName("Rows of one call are stored all or not at all")
    void requestsAreOne() {
        AuditEntry tooMuch = new AuditEntry(OLGA, AuditAction.REQUEUE_ORDER, BOB, "x");
        postgres.owner().execute("ALTER TABLE audit ADD CONSTRAINT not_bob CHECK (user_id <> 'bob')");
        try {
            assertThatThrownBy(() -> audit.request(List.of(stop("a"), stop("b"), tooMuch)))
                    .isInstanceOf(DataAccessException.class);
        } finally {
            postgres.owner().execute("ALTER TABLE audit DROP CONSTRAINT not_bob");
        }
        assertThat(rows(audit)).isEmpty();
    }

    @Test
    @Tag("X29")
    @DisplayName("The audit is searched by user, actor and action, newest row first, in pages")
    void search() {
        audit.request(stop("1"));
        audit.request(new AuditEntry(OLGA, AuditAction.READ_PAYLOADS, BOB, "2"));
        audit.request(new AuditEntry(new AuditActor("otto", "", null), AuditAction.READ_PAYLOADS, ALICE, "3"));
        audit.request(stop("4"));
        assertThat(found(new AuditQuery(null, null, null, null, 3))).containsExactly("4", "3", "2");
        assertThat(found(new AuditQuery(null, null, null, 2L, 3))).containsExactly("1");
        assertThat(found(new AuditQuery(ALICE, null, null, null, 9))).containsExactly("4", "3", "1");
        assertThat(found(new AuditQuery(null, "otto", null, null, 9))).containsExactly("3");
        assertThat(found(new AuditQuery(null, null, AuditAction.READ_PAYLOADS, null, 9)))
                .containsExactly("3", "2");
        assertThat(found(new AuditQuery(ALICE, "olga", AuditAction.STOP_WORKER, 4L, 9)))
                .containsExactly("1");
    }

    private List<String> found(AuditQuery query) {
        return audit.search(query).stream().map(AuditRow::detail).toList();
    }
}
