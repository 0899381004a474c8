package dev.berth.acceptance.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Processes of this machine, read from /proc. */
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    public static boolean lives(long pid) {
        String stat = read(pid, "stat");
        return !stat.isEmpty() && !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    }

    public static void signal(long pid, String name) throws InterruptedException {
        try {
            Signal.valueOf(name).send(List.of(pid));
        } catch (IOException gone) {
            throw new AssertionError(gone);
        }
    }

    /** A process that is gone, or ends meanwhile, needs no signal. */
    public static void signalIfAlive(long pid, String name) throws InterruptedException {
        try {
            if (lives(pid)) {
                Signal.valueOf(name).send(List.of(pid));
            }
        } catch (IOException gone) {
            if (lives(pid)) {
                throw new AssertionError(gone);
            }
        }
    }

    /**
     * The command line with the arguments of its argument files, and blanks between; empty when the
     * process is gone.
     */
    public static String command(long pid) {
        return Arrays.stream(read(pid, "cmdline").split("\0"))
                .map(word -> word.startsWith("@") ? read(pid, "root" + word.substring(1)) : word)
                .collect(Collectors.joining(" "));
    }

    /** The state of the process as the kernel tells it; empty when the process is gone. */
    public static String status(long pid) {
        return read(pid, "status");
    }

    /** The resource limits; empty when the process is gone. */
    public static String limits(long pid) {
        return read(pid, "limits");
    }

    public static Map<String, String> environment(long pid) {
        return Arrays.stream(read(pid, "environ").split("\0"))
                .map(variable -> variable.split("=", 2))
                .filter(variable -> variable.length == 2)
                .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1], (one, _) -> one));
    }

    /** The process of an ECS task, found by its metadata address. */
    public static long ofTask(String taskId) throws IOException {
        return all().stream()
                .filter(pid -> environment(pid)
                        .getOrDefault("ECS_CONTAINER_METADATA_URI_V4", "")
                        .contains(taskId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process runs task " + taskId));
    }

    /**
     * The processes of a stack: their command line or environment holds its folder, or its gateway
     * if they are containers; or they run in it, as the children of PostgreSQL do.
     */
    public static List<Long> of(Stack stack) throws IOException {
        String home = stack.home().toString();
        String gateway = "BERTH_GATEWAY_TARGET=127.0.0.1:" + stack.port("GATEWAY", 17233) + "\0";
        return all().stream()
                .filter(pid -> {
                    String words = read(pid, "cmdline") + "\0" + read(pid, "environ") + "\0";
                    return words.contains(home) || words.contains(gateway) || runsIn(pid, stack.home());
                })
                .filter(Processes::lives)
                .toList();
    }

    private static boolean runsIn(long pid, Path folder) {
        try {
            return Files.readSymbolicLink(PROC.resolve(pid + "/cwd")).startsWith(folder);
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<Long> all() throws IOException {
        try (var folders = Files.list(PROC)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.matches("\\d+"))
                    .map(Long::valueOf)
                    .toList();
        }
    }

    /** Empty when the process is gone or belongs to another user. */
    private static String read(long pid, String file) {
        try {
            return Files.readString(PROC.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
