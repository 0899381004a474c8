package dev.berth.acceptance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Processes of this machine, as /proc shows them. */
final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    static boolean lives(long pid) {
        String stat = read(pid, "stat");
        return !stat.isEmpty() && !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    }

    /** Sends a signal by its name, such as KILL. */
    static void signal(long pid, String name) throws InterruptedException {
        try {
            Signal.valueOf(name).send(List.of(pid));
        } catch (IOException gone) {
            throw new AssertionError(gone);
        }
    }

    static Map<String, String> environment(long pid) {
        return Arrays.stream(read(pid, "environ").split("\0"))
                .map(variable -> variable.split("=", 2))
                .filter(variable -> variable.length == 2)
                .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1], (one, _) -> one));
    }

    /** The process of an ECS task, by the metadata address that it was given. */
    static long ofTask(String taskId) throws IOException {
        return all().stream()
                .filter(pid -> environment(pid)
                        .getOrDefault("ECS_CONTAINER_METADATA_URI_V4", "")
                        .contains(taskId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process runs task " + taskId));
    }

    /** Those of a stack: its folder stands in their command line, or in the environment that they inherited. */
    static List<Long> of(Stack stack) throws IOException {
        String home = stack.home().toString();
        return all().stream()
                .filter(pid -> (read(pid, "cmdline") + "\0" + read(pid, "environ") + "\0").contains(home))
                .filter(Processes::lives)
                .toList();
    }

    private static List<Long> all() throws IOException {
        try (var folders = Files.list(PROC)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.matches("\\d+"))
                    .map(Long::valueOf)
                    .toList();
        }
    }

    /** Empty when the process is gone, or another user's. */
    private static String read(long pid, String file) {
        try {
            return Files.readString(PROC.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
