package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Rules about the text of all Java sources of the repository, each with an example that it refuses.
 */
class SourceRulesTest {
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "MACOS")
    @DisplayName("Every source file keeps the rule")
    void everySourceKeeps(SourceRule rule) throws IOException {
        Map<Path, String> sources = Repository.javaSources();
        assertThat(sources).hasSizeGreaterThan(500);
        List<String> violations = new ArrayList<>();
        sources.forEach((path, text) -> {
            if (!path.endsWith("SourceRule.java") && !path.endsWith("SourceRulesTest.java")) {
                violations.addAll(rule.violations(path.toString(), text));
            }
        });
        assertThat(violations).isEmpty();
    }

    @Test
    @DisplayName("Documents, SQL, YAML and scripts use the field's words")
    void documentsUseTheWords() throws IOException {
        Map<Path, String> documents = Repository.texts(Pattern.compile(".*\\.(md|sql|ya?ml|sh)|berth"));
        documents.keySet().removeIf(path -> path.startsWith("docs/decisions") || path.endsWith("CHANGELOG.md"));
        assertThat(documents)
                .hasSizeGreaterThan(80)
                .containsKeys(Path.of("berth"), Path.of("infra/local/bin/up.sh"), Path.of("README.md"));
        List<String> violations = new ArrayList<>();
        documents.forEach((path, text) -> violations.addAll(SourceRule.WORDS.violations(path.toString(), text)));
        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            COMMENT_WIDTH      | // aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            WORDS              | bury(worker);
            WORDS              | /** The order can not be sent. */
            WORDS              | berth_drift_total{kind="mark_without_task"}
            WORDS              | launch.held-for: 5m
            WORDS              | -- while Redis is away
            WORDS              | the mark of a worker
            NO_VERSION_MARKERS | int version = Workflow.getVersion("faster", Workflow.DEFAULT_VERSION, 1);
            LOCALE             | String.format("%d", count);
            LOCALE             | out.printf("%.1f s", seconds);
            LOCALE             | DateTimeFormatter.ofPattern("EEE");
            FORMATTED          | "{\"exp\":%d}".formatted(expiry);
            FORMATTED          | ids.map("%08x"::formatted);
            FORMATTED          | pattern.formatted(count);
            MACOS              | local -A missing=()
            MACOS              | mapfile -t lines < file
            MACOS              | name=${name,,}
            MACOS              | for number in $(seq 2 "$last"); do
            MACOS              | ps -ww -eo pid=,args=
            """)
    @DisplayName("The rule refuses its example and says where it stands")
    void refusesItsExample(SourceRule rule, String line) {
        assertThat(rule.violations("Example.java", "class Example {\n" + line))
                .singleElement()
                .asString()
                .startsWith("Example.java:2: ");
    }

    @Test
    @Tag("X34")
    @DisplayName("Scripts run on macOS")
    void scriptsRunOnMacos() throws IOException {
        Map<Path, String> scripts = Repository.texts(Pattern.compile("berth|run|.*\\.sh"));
        // Containers run on Linux alone.
        scripts.keySet().removeIf(path -> path.endsWith("container-network.sh"));
        assertThat(scripts)
                .containsKeys(Path.of("berth"), Path.of(".ci/run"))
                .containsKeys(Path.of("infra/local/bin/up.sh"), Path.of("infra/local/lib/processes.sh"));
        List<String> violations = new ArrayList<>();
        scripts.forEach((path, text) -> violations.addAll(SourceRule.MACOS.violations(path.toString(), text)));
        assertThat(violations).isEmpty();
    }

    @Test
    @DisplayName("The command is a short entry: what a command does is a file of its name")
    void entryIsShort() throws IOException {
        assertThat(Files.readAllLines(Repository.ROOT.resolve("berth"))).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    @DisplayName("A format of texts needs no locale")
    void textsNeedNoLocale() {
        String text = "\"%s is 5 %% of %-9s%n\".formatted(a, b) + 5 % d + \"c\".formatted()";
        assertThat(SourceRule.FORMATTED.violations("Example.java", text)).isEmpty();
    }

    @Test
    @DisplayName("No class name exists twice")
    void classNamesAreUnique() throws IOException {
        Map<String, List<Path>> places = new TreeMap<>();
        for (Path source : Repository.javaSources().keySet()) {
            places.computeIfAbsent(source.getFileName().toString(), _ -> new ArrayList<>())
                    .add(source);
        }
        places.remove("package-info.java");
        places.values().removeIf(paths -> paths.size() == 1);
        assertThat(places).isEmpty();
    }
}
