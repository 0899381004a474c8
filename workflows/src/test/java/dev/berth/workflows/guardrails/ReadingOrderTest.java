package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the classes and methods that the pages name exist. */
class ReadingOrderTest {
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern NAME = Pattern.compile("\\b([A-Z]\\w*[a-z]\\w*)(?:\\.([a-z]\\w*))?");

    @ParameterizedTest
    @ValueSource(strings = {"docs/reading.md", "docs/threat-model.md"})
    @DisplayName("Every class and method that the page names exists")
    void namedClassesExist(String page) throws IOException {
        Map<String, String> classes = Repository.javaSources().entrySet().stream()
                .collect(Collectors.toMap(
                        source -> source.getKey().getFileName().toString().replace(".java", ""),
                        Map.Entry::getValue,
                        (one, other) -> one));
        assertThat(missing(Files.readString(Repository.ROOT.resolve(page)), classes))
                .isEmpty();
    }

    @Test
    @DisplayName("A class or a method that does not exist is found")
    void missingNamesAreFound() {
        Map<String, String> classes = Map.of("OrderWorkflow", "void report(ExecutionReport report);");
        assertThat(missing("`api/…/OrderWorkflow.report`, `OrderWorkflow.cancel`, `Gone.run`, `FAILED`", classes))
                .containsExactly("OrderWorkflow.cancel", "Gone");
    }

    private static List<String> missing(String page, Map<String, String> classes) {
        List<String> missing = new ArrayList<>();
        for (MatchResult code : CODE.matcher(page).results().toList()) {
            for (MatchResult name : NAME.matcher(code.group(1)).results().toList()) {
                String source = classes.get(name.group(1));
                if (source == null) {
                    missing.add(name.group(1));
                } else if (name.group(2) != null && !source.contains(name.group(2) + "(")) {
                    missing.add(name.group());
                }
            }
        }
        return missing;
    }
}
