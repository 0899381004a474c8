package dev.berth.acceptance.remote;

import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.stack.Stack;
import dev.berth.activities.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that serves an account at the paper venue with the Python SDK. */
record PythonMachine(Process process) implements AutoCloseable {
    static final Path SDK = Path.of("../clients/python").toAbsolutePath().normalize();

    /** An environment with all that the SDK needs, made once a build. */
    static PythonEnvironment environment(Stack stack) throws IOException, InterruptedException {
        return PythonEnvironment.of(
                stack.home().resolveSibling("websockets-venv"), Path.of("src/test/resources/websockets.txt"));
    }

    /** A program of the SDK's folder. */
    static ProcessBuilder program(PythonEnvironment python, String... arguments) {
        List<String> command = new ArrayList<>(List.of(python.program("python")));
        command.addAll(List.of(arguments));
        ProcessBuilder program = new ProcessBuilder(command).directory(SDK.toFile());
        program.environment().put("PYTHONPATH", SDK.resolve("src").toString());
        program.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return program.redirectErrorStream(true);
    }

    /**
     * Starts one.
     *
     * @param folder of its journal, and of its log
     * @param apis to connect to, in turn
     */
    static PythonMachine start(Stack stack, Path folder, String user, String account, RestClient... apis)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "examples/paper_venue.py",
                "--venue",
                stack.venue().base().toString(),
                "--token",
                new Tokens(stack).sign(user, "remote"),
                "--account",
                account,
                "--key",
                user + "-home",
                "--secret",
                "paper-" + user + "-home",
                "--state",
                folder.resolve("journal").toString()));
        for (RestClient api : apis) {
            arguments.add("--url");
            arguments.add(api.base().toString());
        }
        return new PythonMachine(program(environment(stack), arguments.toArray(String[]::new))
                .redirectOutput(folder.resolve("machine.log").toFile())
                .start());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
