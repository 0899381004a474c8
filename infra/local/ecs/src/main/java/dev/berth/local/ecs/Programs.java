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

/** Runs each task as a process of this machine, as this user. */
final class Programs implements TaskRuntime {
    /**
     * The shell writes its own process id to two files, the second being the entrance of the memory
     * limit, and then executes the program. So the id is on disk before the program runs, even if
     * this process ends meanwhile.
     */
    private static final String EXEC_PROGRAM = "echo $$ >\"$1\" && echo $$ >\"$2\" && shift 2 && exec \"$@\"";

    /** Limits the shell, soft and hard, and so the program. */
    private static final String NO_CORE_DUMPS = "ulimit -c 0 && ";

    private static final Path DEV_NULL = Path.of("/dev/null");

    private final PidFiles pids;
    private final Path logs;
    private final MemoryLimits limits;

    Programs(LocalEcsOptions options, MemoryLimits limits) {
        this.limits = limits;
        pids = new PidFiles(options.stateDirectory().resolve("pids"));
        logs = options.logDirectory();
        try {
            Files.createDirectories(logs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public MemoryLimit limit(TaskPlan plan) {
        return limits.forTask(plan);
    }

    @Override
    public Started start(TaskPlan plan, MemoryLimit limit, int metadataPort) throws IOException {
        Map<String, String> environment = environment(plan, metadataPort);
        String program = plan.argv().getFirst();
        Path directory = Path.of(plan.workingDirectory()).toAbsolutePath();
        if (!isExecutable(program, directory, environment)) {
            throw new IOException(
                    "CannotStartContainerError: exec: \"" + program + "\": executable file not found in $PATH");
        }
        String script = plan.dumpsCore() ? EXEC_PROGRAM : NO_CORE_DUMPS + EXEC_PROGRAM;
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script, "sh");
        builder.command().add(pids.of(plan.id()).toString());
        builder.command().add(limit.entrance().orElse(DEV_NULL).toString());
        builder.command().addAll(plan.argv());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.directory(directory.toFile())
                .redirectInput(DEV_NULL.toFile())
                .redirectErrorStream(true)
                .redirectOutput(logs.resolve("task-" + plan.id() + ".log").toFile())
                .start();
        return new Started(process.toHandle(), process.onExit().thenApply(Process::exitValue));
    }

    @Override
    public OptionalLong pidOf(String taskId) {
        return pids.read(taskId);
    }

    @Override
    public void remove(String taskId) {
        pids.delete(taskId);
    }

    @Override
    public void close() {}

    private static Map<String, String> environment(TaskPlan plan, int metadataPort) {
        Map<String, String> environment = new TreeMap<>();
        List.of("PATH", "HOME", "LC_ALL").forEach(name -> {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        });
        environment.putAll(ecsVariables(plan, "http://127.0.0.1:" + metadataPort));
        return environment;
    }

    /** The variables that ECS sets, and those of the task. */
    static Map<String, String> ecsVariables(TaskPlan plan, String metadata) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("ECS_ENABLE_CONTAINER_METADATA", "true");
        variables.put("ECS_CONTAINER_METADATA_URI_V4", metadata + "/v4/" + plan.containerId());
        variables.put("AWS_EXECUTION_ENV", "AWS_ECS_EC2");
        variables.putAll(plan.environment());
        return variables;
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
