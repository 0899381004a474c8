package dev.berth.acceptance.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A stack of the test run with its own folder and ports; close removes all of it. */
public final class TestStack implements AutoCloseable {
    /** The API comes last: its further replicas have the ports behind it. */
    private static final List<String> SERVERS =
            List.of("TEMPORAL", "UI", "POSTGRES", "REDIS", "SQS", "ECS", "VENUE", "FIX", "GATEWAY", "METRICS", "API");

    private static final int MORE_REPLICAS = 2;
    private static final int BLOCK = SERVERS.size() + MORE_REPLICAS;
    /** Below the ephemeral ports, so that no outgoing connection takes one. */
    private static final int PORTS = 20_000;

    private static final int PORTS_END = 30_000;
    private static int lastBlock = ThreadLocalRandom.current().nextInt(PORTS, PORTS_END);

    private final Stack stack;
    private final Thread shutdownHook = new Thread(this::wipe, "stack-down");
    private volatile boolean failed;

    private TestStack(Stack stack) {
        this.stack = stack;
    }

    public static TestStack start(String folder) throws IOException, InterruptedException {
        return start(folder, Map.of());
    }

    /**
     * Starts a stack of its own.
     *
     * @param settings environment variables of {@code berth}
     */
    public static TestStack start(String folder, Map<String, String> settings)
            throws IOException, InterruptedException {
        return start(describe(folder).with(settings));
    }

    /** Starts a described stack, perhaps of another checkout. */
    public static TestStack start(Stack described) throws IOException, InterruptedException {
        TestStack running = new TestStack(described);
        running.wipe();
        Runtime.getRuntime().addShutdownHook(running.shutdownHook);
        try {
            running.stack.berth("up");
        } catch (IOException | RuntimeException notUp) {
            running.failed = true;
            running.close();
            throw notUp;
        }
        return running;
    }

    /** A stack that is not started, in a folder below {@code target}. */
    public static Stack describe(String folder) throws IOException {
        Path module = Path.of("").toAbsolutePath();
        Path root = module.resolve("..").normalize();
        Map<String, String> environment = new HashMap<>(Map.of(
                "BERTH_HOME",
                module.resolve("target").resolve(folder).toString(),
                "BERTH_BUILT",
                "1",
                // Tests kill workers often, and start others for the same account.
                "BERTH_VENUE_STREAM_REAP",
                "PT3S"));
        int first = freeBlock();
        for (int number = 0; number < SERVERS.size(); number++) {
            environment.put("BERTH_" + SERVERS.get(number) + "_PORT", Integer.toString(first + number));
        }
        return new Stack(root, Map.copyOf(environment));
    }

    /** Returns each block once, since a stack binds its ports later. */
    private static synchronized int freeBlock() {
        do {
            lastBlock += BLOCK;
            if (lastBlock + BLOCK > PORTS_END) {
                lastBlock = PORTS;
            }
        } while (!IntStream.range(lastBlock, lastBlock + BLOCK).allMatch(TestStack::isFree));
        return lastBlock;
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    public Stack stack() {
        return stack;
    }

    /** Keeps the logs when the stack is closed. */
    public void failed() {
        failed = true;
    }

    @Override
    public void close() throws IOException {
        if (failed) {
            saveLogs();
        }
        List<String> refusedKeys = refusedKeys();
        wipe();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException interrupted) {
            return;
        }
        List<Long> left = Processes.of(stack);
        if (!left.isEmpty()) {
            throw new IllegalStateException("./berth down left processes behind: " + left);
        }
        if (!refusedKeys.isEmpty()) {
            throw new IllegalStateException("LocalRedis gives the API or the gateway too few rights: " + refusedKeys);
        }
    }

    /** Empty when Redis is down. */
    private List<String> refusedKeys() {
        try {
            return RedisKeyspace.of(stack).refusals();
        } catch (IOException down) {
            return List.of();
        }
    }

    private void wipe() {
        try {
            stack.berth("down", "--wipe");
        } catch (IOException notDown) {
            throw new IllegalStateException(notDown);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void saveLogs() throws IOException {
        String when = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("MMdd-HHmmss", Locale.ROOT));
        Path kept = Files.createDirectories(stack.home()
                .resolveSibling("stack-logs")
                .resolve(when + "-" + stack.home().getFileName()));
        try (Stream<Path> logs = Files.list(stack.home().resolve("log"))) {
            for (Path log : logs.toList()) {
                Files.copy(log, kept.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
