package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a worker's heap holds of secrets, garbage included. */
@ExtendWith(OnTheStack.class)
class WorkerHeapTest {
    /** Every secret of the local stack begins so. */
    private static final String ANY_SECRET = "paper-";

    private final Stack stack;

    @TempDir
    Path folder;

    WorkerHeapTest(Stack stack) {
        this.stack = stack;
    }

    @Test
    @DisplayName("A1 a pool worker's heap holds no secret at all")
    void aPoolWorkerHoldsNone() throws Exception {
        for (String task : Eventually.fullPool(RedisKeyspace.of(stack))) {
            String heap = heap(Processes.ofTask(task));
            assertThat(heap.contains("dev/berth/host/pool/PoolWorker")).isTrue();
            assertThat(heap.contains(ANY_SECRET)).as("a secret in the pool").isFalse();
        }
    }

    @Test
    @DisplayName("A1 a claimed worker's heap holds its own user's secret and nobody else's")
    void aClaimedWorkerHoldsItsOwn() throws Exception {
        String ann = heapOf("heap-ann");
        assertThat(ann.contains("paper-heap-ann")).as("ann's in ann's").isTrue();
        assertThat(ann.contains("paper-heap-bob")).as("bob's in ann's").isFalse();
        String bob = heapOf("heap-bob");
        assertThat(bob.contains("paper-heap-bob")).as("bob's in bob's").isTrue();
        assertThat(bob.contains("paper-heap-ann")).as("ann's in bob's").isFalse();
        assertThat(bob.contains("paper-class-archive")).as("the training's").isFalse();
    }

    private String heapOf(String user) throws Exception {
        Trader trader = stack.trader(user);
        var bought = trader.submit(NewOrder.market("first", "AAPL", "buy", "1"), 20);
        assertThat(bought.text("status")).as("%s", bought.body()).isEqualTo("FILLED");
        return heap(trader.worker().path("pid").asLong());
    }

    /** The whole dump, a character a byte: the JVM keeps a text like a secret in one byte a character. */
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
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor()).as(said).isZero();
        assertThat(dump).as(said).exists();
        return Files.readString(dump, StandardCharsets.ISO_8859_1);
    }
}
