package dev.berth.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.local.stack.LocalSqs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** AWS's own Python client, and its models, at the local stack. */
class Boto3Test {
    private static final Path LOCAL = Path.of("../infra/local");

    @RegisterExtension
    private final TestEcs ecs = new TestEcs(2);

    @Tag("A4")
    @DisplayName("boto3 runs, awaits, lists and stops tasks of the local ECS, and knows each member and error")
    @Test
    void boto3RunsTasks() throws Exception {
        assertThat(run("ecs/src/test/python/boto3_ecs.py", ecs.endpoint().toString(), "berth"))
                .contains("boto3 and the local ECS agree");
    }

    @Tag("A4")
    @DisplayName("boto3 sends, receives, hides and deletes messages of the local SQS")
    @Test
    void boto3SendsMessages() throws Exception {
        try (LocalSqs sqs = LocalSqs.start(0)) {
            assertThat(run("stack/src/test/python/boto3_sqs.py", sqs.endpoint().toString()))
                    .contains("boto3 and the local SQS agree");
        }
    }

    private static String run(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                TestMoto.python().program("python"), LOCAL.resolve(script).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }
}
