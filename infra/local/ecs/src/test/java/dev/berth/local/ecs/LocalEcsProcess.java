package dev.berth.local.ecs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Local ECS in a JVM of its own, so that it can be killed. */
final class LocalEcsProcess {
    private final Process process;
    private final int port;

    private LocalEcsProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Prints the port, and runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        LocalEcsOptions options = EcsFixture.optionsIn(folder);
        LocalEcs ecs = LocalEcs.start(
                arguments.length == 1
                        ? options
                        : new ContainerFixture(folder, Integer.parseInt(arguments[1]), Set.of(1)).options(options));
        System.out.println(ecs.port());
        Thread.currentThread().join();
    }

    static LocalEcsProcess start(Path folder) throws IOException {
        return start(List.of(folder.toString()));
    }

    /** With containers. */
    static LocalEcsProcess start(ContainerFixture containers) throws IOException {
        return start(List.of(containers.folder().toString(), Integer.toString(containers.ecsPort())));
    }

    private static LocalEcsProcess start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LocalEcsProcess.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        return new LocalEcsProcess(process, Integer.parseInt(output.readLine()));
    }

    int port() {
        return port;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
