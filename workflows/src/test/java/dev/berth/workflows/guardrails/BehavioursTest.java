package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whether {@code docs/behaviours.md} and the tags of the tests say the same. */
class BehavioursTest {
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([A-ETX]\\d+)\"\\)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-ETX]\\d+) \\| (\\w+) \\| .+ \\| (.*) \\|$");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

    @Test
    @DisplayName("Every row that is claimed has a test, and every tag has a row that is claimed")
    void claimedRowsHaveTests() throws IOException {
        String page = Files.readString(Repository.ROOT.resolve("docs/behaviours.md"));
        assertThat(disagreements(page, taggedTests(Repository.javaSources()))).isEmpty();
    }

    @Test
    @DisplayName("A row without a test, a proof without its tag, and a tag without a row are refused")
    void disagreementsAreFound() {
        String page = """
                | A1 | proven | One worker per user. | `IsolationTest` |
                | A2 | proven | A life cycle. | `GoneTest` |
                | A3 | partly | A pool. | `PoolTest` |
                | A4 | open | A start path. |  |
                | A5 | done | A time. |  |
                """;
        assertThat(disagreements(
                        page,
                        Map.of(
                                "A1", Set.of("IsolationTest"),
                                "A3", Set.of("OtherTest"),
                                "A4", Set.of("StartTest"),
                                "X9", Set.of("SwitchTest"))))
                .containsExactly(
                        "A2 is proven, but no test has its tag",
                        "A3 names PoolTest, which has no such tag",
                        "A4 is open, but StartTest has its tag",
                        "A5 is neither proven, partly, measured nor open",
                        "X9 has tests and no row");
    }

    private static List<String> disagreements(String page, Map<String, Set<String>> tests) {
        List<String> found = new ArrayList<>();
        Map<String, Set<String>> withoutRow = new TreeMap<>(tests);
        for (MatchResult row : ROW.matcher(page).results().toList()) {
            String id = row.group(1);
            withoutRow.remove(id);
            Set<String> tagged = tests.getOrDefault(id, Set.of());
            switch (row.group(2)) {
                case "proven", "partly" -> {
                    if (tagged.isEmpty()) {
                        found.add(id + " is " + row.group(2) + ", but no test has its tag");
                    } else {
                        CLASS.matcher(row.group(3))
                                .results()
                                .map(name -> name.group(1))
                                .filter(name -> !tagged.contains(name))
                                .forEach(name -> found.add(id + " names " + name + ", which has no such tag"));
                    }
                }
                case "open" -> tagged.forEach(test -> found.add(id + " is open, but " + test + " has its tag"));
                case "measured" -> assertThat(row.group(3)).contains("./berth bench");
                default -> found.add(id + " is neither proven, partly, measured nor open");
            }
        }
        withoutRow.keySet().forEach(id -> found.add(id + " has tests and no row"));
        return found;
    }

    private static Map<String, Set<String>> taggedTests(Map<Path, String> sources) {
        Map<String, Set<String>> tests = new HashMap<>();
        sources.forEach((path, text) -> {
            String name = path.getFileName().toString().replace(".java", "");
            for (Matcher tag = TAG.matcher(text); tag.find(); ) {
                tests.computeIfAbsent(tag.group(1), _ -> new TreeSet<>()).add(name);
            }
        });
        return tests;
    }
}
