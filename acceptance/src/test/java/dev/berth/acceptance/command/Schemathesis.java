package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.activities.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs schemathesis, which generates requests from the OpenAPI document, in a virtual environment.
 */
record Schemathesis(Path folder, PythonEnvironment python) {
    private static final String CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,"
            + "response_schema_conformance,response_headers_conformance,ignored_auth";
    private static final String DOCUMENT = "/v3/api-docs";
    private static final long LONGEST_SECONDS = 600;

    /** Installs schemathesis; aborts the test where pip cannot install it. */
    static Schemathesis install() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target/schemathesis").toAbsolutePath());
        Path requirements = Path.of("src/test/resources/schemathesis.txt");
        return new Schemathesis(folder, PythonEnvironment.ofOrAbort(folder.resolve("venv"), requirements));
    }

    /**
     * Generates requests, the same ones in each run, and checks every answer.
     *
     * @param settings the text of its configuration file
     */
    void check(RestClient api, String bearer, String settings, String... more)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("schemathesis.toml"), settings);
        // A replica writes it at the first call; schemathesis waits 10 s.
        assertThat(api.call("GET", DOCUMENT, null).status()).isEqualTo(200);
        List<String> command = new ArrayList<>(List.of(
                python.program("schemathesis"),
                "run",
                api.base().resolve(DOCUMENT).toString(),
                "--header=Authorization:" + bearer,
                "--checks=" + CHECKS,
                "--phases=examples,coverage,fuzzing",
                "--max-examples=5",
                "--seed=1",
                "--generation-database=none",
                "--request-timeout=30",
                "--continue-on-failure",
                "--no-color"));
        command.addAll(List.of(more));
        FinishedCommand ended = run(command);
        assertThat(ended.status()).as(ended.out()).isZero();
        assertThat(ended.out()).containsPattern("[1-9][0-9]* passed");
    }

    private FinishedCommand run(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        // A proxy cannot reach loopback ports.
        builder.environment().put("NO_PROXY", "127.0.0.1");
        Process process = builder.start();
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return new FinishedCommand(process.waitFor(), Files.readString(out), "");
    }
}
