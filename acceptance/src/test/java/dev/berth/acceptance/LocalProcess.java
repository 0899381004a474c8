package dev.berth.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * One server of the stack, by the name that {@code ./berth up} gave its process.
 *
 * @param name such as {@code api} or {@code redis}
 */
record LocalProcess(Stack stack, String name) {

    long pid() throws IOException {
        return Long.parseLong(
                Files.readString(stack.home().resolve("run/" + name + ".pid")).strip());
    }

    /** Ends it at once, and the program that it wraps, if it does. {@code ./berth up} starts it again. */
    void kill() throws IOException, InterruptedException {
        long pid = pid();
        List<ProcessHandle> all = ProcessHandle.of(pid).stream()
                .flatMap(it -> Stream.concat(Stream.of(it), it.descendants()))
                .toList();
        for (ProcessHandle process : all) {
            process.destroyForcibly();
        }
        for (ProcessHandle process : all) {
            Eventually.ended(process.pid(), Duration.ofSeconds(10));
        }
    }
}
