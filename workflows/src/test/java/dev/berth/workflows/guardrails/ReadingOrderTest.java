package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the classes and methods that the pages name exist, and stories are short and whole. */
class ReadingOrderTest {
    /** More than this is more than a reader holds in mind. */
    private static final int LONGEST_STORY = 30;

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
    private static final Pattern LINK = Pattern.compile("\\{@link (\\w+)");
    private static final Pattern NAME = Pattern.compile("\\b([A-Z]\\w*[a-z]\\w*)(?:\\.([a-z]\\w*))?");

    @ParameterizedTest
    @ValueSource(strings = {"docs/reading.md", "docs/threat-model.md"})
    @DisplayName("Every class and method that the page names exists")
    void namedClassesExist(String page) throws IOException {
        assertThat(missing(Files.readString(Repository.ROOT.resolve(page)), classes()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"An order is submitted", "A worker dies in mid-order", "A claim", "Credentials rotate"})
    @DisplayName("A story is told by few files, and one leads to all others")
    void storiesAreShortAndWhole(String title) throws IOException {
        Map<String, String> classes = classes();
        String page = Files.readString(Repository.ROOT.resolve("docs/reading.md"));
        Set<String> story = story(page, title);
        assertThat(story).hasSizeBetween(10, LONGEST_STORY);
        assertThat(unreached(story, classes)).isEmpty();
    }

    @Test
    @DisplayName("A file that no other of its story names, and that names none, is found")
    void gapsAreFound() {
        Map<String, String> classes = Map.of(
                "Api", "class Api { Port port; }",
                "Adapter", "class Adapter\n        implements Port { Client client; }",
                "Client", "class Client { Clients all; }",
                "Clients", "class Clients {}",
                "Gone", "/** {@link Clients}, no Api. */ class Gone { Apis apis; } // Client");
        String page =
                "## Other\n`Gone`\n\n## It\n| `Api.call`, `run` | `api/…/Adapter` |\n`Client`, `Gone`\n\n## Next\n`Clients`";
        assertThat(story(page, "It")).containsExactly("Api", "Adapter", "Client", "Gone");
        assertThat(unreached(story(page, "It"), classes)).containsExactly("Gone");
    }

    @Test
    @DisplayName("A class or a method that does not exist is found")
    void missingNamesAreFound() {
        Map<String, String> classes = Map.of("OrderWorkflow", "void report(ExecutionReport report);");
        assertThat(missing("`api/…/OrderWorkflow.report`, `OrderWorkflow.cancel`, `Gone.run`, `FAILED`", classes))
                .containsExactly("OrderWorkflow.cancel", "Gone");
    }

    /** Sources by class; the first of a name. */
    private static Map<String, String> classes() throws IOException {
        return Repository.javaSources().entrySet().stream()
                .collect(Collectors.toMap(
                        source -> source.getKey().getFileName().toString().replace(".java", ""),
                        Map.Entry::getValue,
                        (one, other) -> one));
    }

    /** The classes that a section of the page names, in its order. */
    private static Set<String> story(String page, String title) {
        String section = page.split("(?m)^## " + title + "\n", 2)[1].split("(?m)^## ", 2)[0];
        return CODE.matcher(section)
                .results()
                .flatMap(code -> NAME.matcher(code.group(1)).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Of a story's classes those to which no way leads from the first, over the others. */
    private static Set<String> unreached(Set<String> story, Map<String, String> classes) {
        SequencedSet<String> unreached = new LinkedHashSet<>(story);
        Deque<String> next = new ArrayDeque<>(List.of(unreached.removeFirst()));
        while (!next.isEmpty()) {
            String from = next.remove();
            List<String> reached = unreached.stream()
                    .filter(to -> names(from, to, classes) || names(to, from, classes))
                    .toList();
            reached.forEach(unreached::remove);
            next.addAll(reached);
        }
        return unreached;
    }

    /** Whether one class names the other, or a type that the other implements. */
    private static boolean names(String one, String other, Map<String, String> classes) {
        Matcher declaration =
                Pattern.compile("\\b(?:implements|extends) ([^{]+)\\{").matcher(classes.get(other));
        Stream<String> types = declaration.find()
                ? NAME.matcher(declaration.group(1)).results().map(m -> m.group(1))
                : Stream.of();
        String code = COMMENT.matcher(classes.get(one)).replaceAll(comment -> links(comment.group()));
        return Stream.concat(Stream.of(other), types)
                .anyMatch(type ->
                        Pattern.compile("\\b" + type + "\\b").matcher(code).find());
    }

    /** Of a comment what an editor follows. */
    private static String links(String comment) {
        return LINK.matcher(comment).results().map(link -> link.group(1)).collect(Collectors.joining(" "));
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
