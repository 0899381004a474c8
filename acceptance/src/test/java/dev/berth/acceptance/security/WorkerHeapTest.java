package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ChangedWorkers;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.temporal.codec.KeyOwner;
import dev.berth.temporal.codec.PayloadKey;
import dev.berth.workflows.UserId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Searches the heap of a worker, garbage included, for secrets. */
@ExtendWith(StackExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerHeapTest {
    /** The prefix of every secret of the local stack. */
    private static final String SECRET_PREFIX = "paper-";

    private final Stack stack;
    private @Nullable ChangedWorkers workers;

    @TempDir
    Path folder;

    WorkerHeapTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeAll
    void allowHeapDumps() throws Exception {
        workers = ChangedWorkers.attachable(stack);
    }

    @AfterAll
    void refuseHeapDumps() throws Exception {
        if (workers != null) {
            workers.restore();
        }
    }

    @Test
    @Tag("A1")
    @DisplayName("A pool worker's heap holds no secret")
    void poolWorkerHoldsNoSecret() throws Exception {
        for (String task : Eventually.fullPool(RedisKeyspace.of(stack))) {
            String heap = heap(Processes.ofTask(task));
            assertThat(heap.contains("dev/berth/host/pool/PoolWorker")).isTrue();
            assertThat(heap.contains(SECRET_PREFIX)).as("a secret in the pool").isFalse();
        }
    }

    @Test
    @Tag("A1")
    @Tag("X13")
    @DisplayName("A claimed worker's heap holds its user's secret and no other, and no payload key")
    void claimedWorkerHoldsOnlyItsUsersSecret() throws Exception {
        String ann = heapOf("heap-ann");
        assertThat(ann.contains("paper-heap-ann")).as("ann's in ann's").isTrue();
        assertThat(ann.contains("paper-heap-bob")).as("bob's in ann's").isFalse();
        assertThat(ann.contains(payloadKey("heap-ann"))).as("ann's payload key").isFalse();
        String bob = heapOf("heap-bob");
        assertThat(bob.contains("paper-heap-bob")).as("bob's in bob's").isTrue();
        assertThat(bob.contains("paper-heap-ann")).as("ann's in bob's").isFalse();
        assertThat(bob.contains("paper-class-archive")).as("the training's").isFalse();
    }

    /** As the heap dump shows its bytes. */
    private String payloadKey(String user) {
        PayloadKey key = stack.payloadKeys().current(KeyOwner.of(new UserId(user)));
        return new String(key.key().getEncoded(), StandardCharsets.ISO_8859_1);
    }

    private String heapOf(String user) throws Exception {
        Trader trader = stack.trader(user);
        var bought = trader.submit(OrderBody.market("first", "AAPL", "buy", "1"), 60);
        assertThat(bought.text("status")).as("%s", bought.body()).isEqualTo("FILLED");
        return heap(trader.worker().pid());
    }

    /** The heap dump as ISO 8859-1: the JVM stores the secrets in one byte a character. */
    private String heap(long pid) throws IOException, InterruptedException {
        Path dump = folder.resolve(pid + ".hprof");
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(pid),
                        "GC.heap_dump",
                        "-all",
                        dump.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor()).as(output).isZero();
        assertThat(dump).as(output).exists();
        return Files.readString(dump, StandardCharsets.ISO_8859_1);
    }
}
