package dev.berth.local.ecs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Starts the process of a task. */
final class Programs {
    /**
     * The shell writes its own process id to two files, the second being the entrance of the memory
     * limit, and then executes the program. So the id is on disk before the program runs, even if
     * this process ends meanwhile.
     */
    private static final String EXEC_PROGRAM = "echo $$ >\"$1\" && echo $$ >\"$2\" && shift 2 && exec \"$@\"";

    /** Limits the shell, soft and hard, and so the program. */
    private static final String NO_CORE_DUMPS = "ulimit -c 0 && ";

    private static final Path DEV_NULL = Path.of("/dev/null");

    private final Path pids;
    private final Path logs;

    Programs(LocalEcsOptions options) {
        pids = options.stateDirectory().resolve("pids");
        logs = options.logDirectory();
        try {
            Files.createDirectories(pids);
            Files.createDirectories(logs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @param metadataPort of local ECS on 127.0.0.1
     * @throws IOException with ECS's message if the program does not exist
     */
    Process start(TaskPlan plan, MemoryLimit limit, int metadataPort) throws IOException {
        Map<String, String> environment = environment(plan, metadataPort);
        String program = plan.argv().getFirst();
        Path directory = Path.of(plan.workingDirectory()).toAbsolutePath();
        if (!isExecutable(program, directory, environment)) {
            throw new IOException(
                    "CannotStartContainerError: exec: \"" + program + "\": executable file not found in $PATH");
        }
        String script = plan.dumpsCore() ? EXEC_PROGRAM : NO_CORE_DUMPS + EXEC_PROGRAM;
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script, "sh");
        builder.command().add(pidFile(plan.id()).toString());
        builder.command().add(limit.entrance().orElse(DEV_NULL).toString());
        builder.command().addAll(plan.argv());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.directory(directory.toFile())
                .redirectInput(DEV_NULL.toFile())
                .redirectErrorStream(true)
                .redirectOutput(logs.resolve("task-" + plan.id() + ".log").toFile())
                .start();
    }

    /** The id that the process wrote; empty if it ended before. */
    OptionalLong pidOf(String taskId) {
        try {
            return OptionalLong.of(
                    Long.parseLong(Files.readString(pidFile(taskId)).strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Idempotent. */
    void forgetPid(String taskId) {
        try {
            Files.deleteIfExists(pidFile(taskId));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path pidFile(String taskId) {
        return pids.resolve(taskId + ".pid");
    }

    private static Map<String, String> environment(TaskPlan plan, int metadataPort) {
        String metadata = "http://127.0.0.1:" + metadataPort + "/v4/" + plan.containerId();
        Map<String, String> environment = new TreeMap<>();
        List.of("PATH", "HOME").forEach(name -> {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        });
        environment.put("ECS_ENABLE_CONTAINER_METADATA", "true");
        environment.put("ECS_CONTAINER_METADATA_URI_V4", metadata);
        environment.put("AWS_EXECUTION_ENV", "AWS_ECS_EC2");
        environment.putAll(plan.environment());
        return environment;
    }

    private static boolean isExecutable(String program, Path directory, Map<String, String> environment) {
        if (program.contains("/")) {
            return isProgram(directory.resolve(program));
        }
        String path = environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(path)
                .anyMatch(folder -> isProgram(directory.resolve(folder).resolve(program)));
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
