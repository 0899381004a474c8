package dev.berth.local.ecs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

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
        LocalEcs ecs = LocalEcs.start(EcsFixture.optionsIn(Path.of(arguments[0])));
        System.out.println(ecs.port());
        Thread.currentThread().join();
    }

    static LocalEcsProcess start(Path folder) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LocalEcsProcess.class.getName(),
                        folder.toString())
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
