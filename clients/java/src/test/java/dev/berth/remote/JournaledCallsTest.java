package dev.berth.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call is executed once at most, before its deadline, for the newest worker. */
@Tag("X20")
class JournaledCallsTest {
    private static final String ACCOUNT = "remote/equity/paper/main";

    @TempDir
    private Path folder;

    private final MemoryBroker broker = new MemoryBroker();
    private final LatestServerTime clock = new LatestServerTime();
    private CallJournal journal;
    private JournaledCalls calls;

    @BeforeEach
    void open() throws IOException {
        clock.observe(Instant.now(), clock.read());
        journal = new CallJournal(folder, InstantSource.system());
        calls = new JournaledCalls(broker, Set.of(ACCOUNT), journal, clock);
    }

    @AfterEach
    void close() throws IOException {
        journal.close();
    }

    private void restart() throws IOException {
        close();
        open();
    }

    private static ObjectNode frame(String method, String callId) {
        return GoldenFrames.read(method.equals("send") ? "call-send" : "call-find")
                .put("callId", callId)
                .put("deadline", Instant.now().plusSeconds(60).toString());
    }

    private ObjectNode answer(ObjectNode frame) throws InterruptedException {
        return calls.answer(JournaledCalls.Call.of(frame), () -> true);
    }

    private static String outcome(ObjectNode answer) {
        return answer.path("outcome").asText() + answer.path("cause").asText();
    }

    @Test
    @DisplayName("A repeat is answered from the journal, after a restart and after the deadline too")
    void repeatIsAnsweredFromTheJournal() throws Exception {
        ObjectNode first = answer(frame("send", "1-aaaaaaaa"));
        assertThat(outcome(first)).isEqualTo("report");
        restart();
        assertThat(answer(frame("send", "1-aaaaaaaa"))).isEqualTo(first);
        assertThat(answer(frame("send", "1-aaaaaaaa").put("deadline", "2020-01-01T00:00:00Z")))
                .isEqualTo(first);
        assertThat(broker.sent).containsExactly("first");
    }

    @Test
    @DisplayName("A repeat after a crash in the call is unknown, and is not executed")
    void repeatAfterCrashIsUnknown() throws Exception {
        journal.begin("1-aaaaaaaa");
        restart();
        Files.writeString(folder.resolve("calls.jsonl"), "{\"callId\":\"1-bb", StandardOpenOption.APPEND);
        restart();
        assertThat(outcome(answer(frame("send", "1-aaaaaaaa")))).isEqualTo("unknown");
        assertThat(outcome(answer(frame("send", "1-aaaaaaaa").put("deadline", "2020-01-01T00:00:00Z"))))
                .isEqualTo("unknown");
        assertThat(broker.sent).isEmpty();
    }

    @Test
    @DisplayName("Repeats at the same time are executed once")
    void concurrentRepeatsAreExecutedOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        broker.beforeAnswer = () -> await(go);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ObjectNode>> answers = new ArrayList<>();
            for (int count = 0; count < 8; count++) {
                answers.add(threads.submit(() -> answer(frame("send", "1-aaaaaaaa"))));
            }
            go.countDown();
            for (Future<ObjectNode> repeated : answers) {
                assertThat(outcome(repeated.get())).isEqualTo("report");
            }
        }
        assertThat(broker.sent).containsExactly("first");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    @DisplayName("Nothing is executed late, for an earlier worker, over an earlier connection, or for another account")
    void gateRefuses() throws Exception {
        assertThat(outcome(answer(frame("send", "1-aaaaaaaa").put("deadline", "2020-01-01T00:00:00Z"))))
                .isEqualTo("notSentdeadline");
        answer(frame("find", "1-bbbbbbbb").put("epoch", 7));
        assertThat(outcome(answer(frame("send", "1-cccccccc").put("epoch", 6)))).isEqualTo("notSentepoch");
        ObjectNode current = frame("send", "1-dddddddd").put("epoch", 7);
        assertThat(outcome(calls.answer(JournaledCalls.Call.of(current), () -> false)))
                .isEqualTo("notSentconnection");
        assertThat(outcome(answer(current.deepCopy().put("account", "remote/equity/paper/other"))))
                .isEqualTo("notSentbroker");
        assertThat(broker.sent).isEmpty();
    }

    @Test
    @DisplayName("A look-up waits for a send that runs, and is unknown when it cannot wait longer")
    void lookUpWaitsForTheSend() throws Exception {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        broker.beforeAnswer = () -> {
            sending.countDown();
            await(go);
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ObjectNode> sent = threads.submit(() -> answer(frame("send", "1-aaaaaaaa")));
            sending.await();
            String soon = clock.now().plusMillis(50).toString();
            assertThat(outcome(answer(frame("find", "1-bbbbbbbb").put("deadline", soon))))
                    .isEqualTo("unknown");
            Future<ObjectNode> found = threads.submit(() -> answer(frame("find", "1-cccccccc")));
            go.countDown();
            assertThat(outcome(found.get())).isEqualTo("report");
            assertThat(outcome(sent.get())).isEqualTo("report");
        }
    }

    @Test
    @DisplayName("A broker's errors keep their meaning")
    void errorsKeepTheirMeaning() throws Exception {
        broker.failure = new Broker.NotSentException("no connection");
        assertThat(outcome(answer(frame("send", "1-aaaaaaaa")))).isEqualTo("notSentbroker");
        broker.failure = new IOException("lost");
        assertThat(outcome(answer(frame("send", "1-bbbbbbbb")))).isEqualTo("unknown");
        broker.failure = new Broker.RefusedException("expired");
        assertThat(outcome(answer(frame("find", "1-cccccccc").put("method", "ping"))))
                .isEqualTo("refused");
    }

    @Test
    @DisplayName("One process uses a journal, which keeps the machine's id and drops old calls")
    void journalIsForOneProcess() throws Exception {
        assertThatThrownBy(() -> new CallJournal(folder, InstantSource.system()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in use by another process");
        String machine = journal.machine();
        journal.begin("1-aaaaaaaa");
        close();
        try (CallJournal old = new CallJournal(
                folder, InstantSource.offset(InstantSource.system(), CallJournal.KEPT.plusMinutes(1)))) {
            assertThat(old.machine()).isEqualTo(machine);
            assertThat(old.isBegun("1-aaaaaaaa")).isFalse();
        }
        open();
    }
}
