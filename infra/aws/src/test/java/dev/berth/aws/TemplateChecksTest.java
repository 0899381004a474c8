package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other people's rules, and what changed since the templates were last looked at. */
class TemplateChecksTest {
    private static final boolean RECORD = Boolean.getBoolean("berth.record-templates");
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    @Test
    void cdkNagFindsNothingUnexplained() {
        assertThat(NagExceptions.findings(Synthesis.STANDARD.folder())).isEmpty();
        assertThat(NagExceptions.findings(Synthesis.SELF_HOSTED.folder())).isEmpty();
    }

    @Test
    void everyExceptionIsNeeded() throws IOException {
        StringBuilder reports = new StringBuilder();
        for (String stack : Synthesis.STACKS) {
            reports.append(Files.readString(
                    Synthesis.STANDARD.folder().resolve("AwsSolutions-berth-" + stack + "-NagReport.csv")));
        }
        assertThat(NagExceptions.of(Sizes.of(List.of())))
                .allSatisfy(exception -> assertThat(reports).contains(exception.reason()));
    }

    /** As {@code docs/cloud.md} says; Python's package {@code cfn-lint}. */
    @Test
    void cfnLintFindsNothing() throws Exception {
        assumeThat(isOnPath("cfn-lint")).as("cfn-lint is on the PATH").isTrue();
        List<String> command = new ArrayList<>(List.of("cfn-lint", "--ignore-checks", "W3005", "--"));
        Synthesis.STACKS.forEach(
                stack -> command.add(Synthesis.SELF_HOSTED.file(stack).toString()));
        command.add(Synthesis.STANDARD.file("services").toString());
        Process lint = new ProcessBuilder(command).redirectErrorStream(true).start();
        String findings = new String(lint.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(lint.waitFor()).as(findings).isZero();
    }

    private static boolean isOnPath(String program) {
        return List.of(String.valueOf(System.getenv("PATH")).split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** {@code -Dberth.record-templates=true} records them anew, for a review. */
    @ParameterizedTest
    @ValueSource(strings = {"network", "data", "cluster", "services", "observability"})
    void templateIsAsRecorded(String stack) throws IOException {
        ObjectNode template = (ObjectNode) Synthesis.SELF_HOSTED.template(stack);
        // The CDK's own: versions and hashes of its checks.
        template.remove(List.of("Rules", "Metadata"));
        template.path("Resources").forEach(resource -> ((ObjectNode) resource).remove("Metadata"));
        String now = JSON.writeValueAsString(JSON.treeToValue(template, Object.class)) + "\n";
        Path recorded = Path.of("src/test/resources/templates", stack + ".json");
        if (RECORD) {
            Files.createDirectories(recorded.getParent());
            Files.writeString(recorded, now);
        }
        assertThat(now).isEqualTo(Files.readString(recorded));
    }
}
