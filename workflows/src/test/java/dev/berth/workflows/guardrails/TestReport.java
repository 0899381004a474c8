package dev.berth.workflows.guardrails;

import dev.berth.workflows.guardrails.Behaviours.Finding;
import dev.berth.workflows.guardrails.Behaviours.State;
import dev.berth.workflows.guardrails.TaggedTests.TaggedTest;
import dev.berth.workflows.guardrails.TestResults.Outcome;
import dev.berth.workflows.guardrails.TestResults.TestResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The end of {@code ./berth test}: what was skipped and why, which behaviours the run proves, and
 * the number of tests.
 */
final class TestReport {
    private static final String WHOLE = "--whole";

    private TestReport() {}

    /**
     * Ends with 1 when a whole run contradicts {@code docs/behaviours.md}.
     *
     * @param arguments {@code --whole} after a run of every test that is not long
     */
    public static void main(String[] arguments) throws IOException {
        boolean isWhole = List.of(arguments).contains(WHOLE);
        List<TestResult> results = new ArrayList<>();
        Map<Path, String> sources = Repository.javaSources();
        for (Path pom : Repository.texts(Pattern.compile("pom\\.xml")).keySet()) {
            Path module = pom.resolveSibling("");
            List<TestResult> own = TestResults.of(Repository.ROOT.resolve(module));
            results.addAll(own.isEmpty() && isWhole ? TestResults.leftOut(module, sources.keySet()) : own);
        }
        List<TaggedTest> tests = TaggedTests.in(sources.values());
        List<Finding> findings =
                Behaviours.rows(Files.readString(Repository.ROOT.resolve("docs/behaviours.md"))).stream()
                        .map(row -> Behaviours.finding(row, tests, results))
                        .toList();
        print(System.out, isWhole, tests, results, findings);
        if (isWhole && findings.stream().anyMatch(Finding::contradictsPage)) {
            System.exit(1);
        }
    }

    static void print(
            PrintStream out,
            boolean isWhole,
            List<TaggedTest> tests,
            List<TestResult> results,
            List<Finding> findings) {
        skipped(results)
                .forEach((reason, types) -> out.println(
                        "Skipped: " + reason + ": " + types.stream().sorted().collect(Collectors.joining(", "))));
        out.println("Only with --long: "
                + tests.stream()
                        .filter(TaggedTest::isLong)
                        .map(TaggedTest::type)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", ")));
        for (Finding finding : findings) {
            if (finding.row().isClaimed()
                    && !finding.why().isEmpty()
                    && (isWhole || finding.state() != State.NOT_RUN)) {
                out.printf(
                        Locale.ROOT,
                        "%s %-4s %-8s %s: %s%n",
                        finding.contradictsPage() && isWhole ? "WRONG" : "     ",
                        finding.row().id(),
                        finding.row().status(),
                        finding.state(),
                        String.join(", ", finding.why()));
            }
        }
        Map<State, Long> states = findings.stream()
                .filter(finding -> finding.row().isClaimed())
                .collect(Collectors.groupingBy(Finding::state, TreeMap::new, Collectors.counting()));
        out.println("Behaviours that are claimed: " + states);
        out.printf(
                Locale.ROOT,
                "Tests run: %d, Failures: %d, Errors: 0, Skipped: %d%n",
                results.size(),
                count(results, Outcome.FAILED),
                count(results, Outcome.SKIPPED));
    }

    private static Map<String, Set<String>> skipped(List<TestResult> results) {
        return results.stream()
                .filter(result -> result.outcome() == Outcome.SKIPPED)
                .collect(Collectors.groupingBy(
                        TestResult::reason,
                        TreeMap::new,
                        Collectors.mapping(TestResult::type, Collectors.toUnmodifiableSet())));
    }

    private static long count(List<TestResult> results, Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }
}
