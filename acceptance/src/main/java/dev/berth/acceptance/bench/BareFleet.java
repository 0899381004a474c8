package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The processes of the baseline: one a user, and one for the workflows. */
final class BareFleet implements AutoCloseable {
    private final List<String> users = new ArrayList<>();
    private final List<Process> workers = new ArrayList<>();
    private final Process orders;
    private final PrintStream commands;
    private final BufferedReader answers;

    /** Starts the processes, with the flags of Berth's own. */
    BareFleet(Stack stack, int size) throws IOException {
        String temporal = "127.0.0.1:" + stack.port("TEMPORAL", 7233);
        List<String> workerFlags;
        try (Stream<String> lines = Files.lines(stack.root().resolve("infra/images/worker/jvm"))) {
            workerFlags = lines.filter(line -> !line.startsWith("#")).toList();
        }
        String run = UUID.randomUUID().toString().substring(0, 8);
        while (users.size() < size) {
            String user = "bare-" + run + "-" + users.size();
            users.add(user);
            workers.add(java(
                            workerFlags,
                            BareWorker.class,
                            temporal,
                            stack.venue().base().toString(),
                            user)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
        this.orders = java(List.of(System.getProperty("berth.api.flags").split(" ", -1)), BareOrders.class, temporal)
                .start();
        this.commands = new PrintStream(orders.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = orders.inputReader(StandardCharsets.UTF_8);
    }

    private static ProcessBuilder java(List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    List<String> users() {
        return List.copyOf(users);
    }

    List<ClosedLoop.Sent> run(ClosedLoop loop) throws IOException {
        commands.println(BareOrders.write(loop));
        List<ClosedLoop.Sent> sent = new ArrayList<>();
        for (String line = answers.readLine(); line != null && !line.isEmpty(); line = answers.readLine()) {
            String[] words = line.split(" ", -1);
            if (words.length == 3) {
                sent.add(new ClosedLoop.Sent(words[0], Instant.parse(words[1]), Instant.parse(words[2])));
            }
        }
        if (sent.isEmpty()) {
            throw new IOException("the baseline sent no order");
        }
        return sent;
    }

    /** The CPU time of all its processes. */
    Duration cpu() {
        return Stream.concat(workers.stream(), Stream.of(orders))
                .map(process -> FleetCost.cpuTime(process.pid()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() throws IOException {
        commands.close();
        for (Process worker : workers) {
            worker.destroy();
        }
        try {
            for (Process worker : workers) {
                worker.waitFor();
            }
            orders.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            orders.destroy();
        }
    }
}
