package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.guardrails.Behaviours.Finding;
import dev.berth.workflows.guardrails.Behaviours.State;
import dev.berth.workflows.guardrails.TaggedTests.TaggedTest;
import dev.berth.workflows.guardrails.TestResults.Outcome;
import dev.berth.workflows.guardrails.TestResults.TestResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether {@code docs/behaviours.md}, the tags of the tests and the results of a run agree. */
class BehavioursTest {
    private static final List<TaggedTest> TESTS = TaggedTests.in(List.of("""
            abstract class SubmissionCases extends Cases {
                @Test
                @Tag("A2")
                void ordersAreSentOnce() {
            """, """
            @Tag("long")
            class FixTest extends SubmissionCases {
                FixTest() {
            """, """
            class AlpacaTest extends SubmissionCases<Alpaca> {
                @Tag("A1")
                @ParameterizedTest
                void answersAreRead(
                @Tag("A1")
                @Tag("long")
                @Test
                @DisplayName("All")
                void allAnswersAreRead() {
                void helper() {
                @Test
                void untagged() {
            """));

    @Test
    @DisplayName("Every row that is claimed has a test, and every tag has a row that is claimed")
    void claimedRowsHaveTests() throws IOException {
        String page = Files.readString(Repository.ROOT.resolve("docs/behaviours.md"));
        List<TaggedTest> tests = TaggedTests.in(Repository.javaSources().values());
        assertThat(Behaviours.rows(page)).hasSizeGreaterThan(80);
        assertThat(Behaviours.disagreements(Behaviours.rows(page), tests)).isEmpty();
    }

    @Test
    @DisplayName("A test has the tags of its method, its class and its superclasses")
    void tagsAreInherited() {
        assertThat(TESTS)
                .containsExactlyInAnyOrder(
                        new TaggedTest("FixTest", "ordersAreSentOnce", Set.of("A2", "long")),
                        new TaggedTest("AlpacaTest", "ordersAreSentOnce", Set.of("A2")),
                        new TaggedTest("AlpacaTest", "answersAreRead", Set.of("A1")),
                        new TaggedTest("AlpacaTest", "allAnswersAreRead", Set.of("A1", "long")),
                        new TaggedTest("AlpacaTest", "untagged", Set.of()));
    }

    @Test
    @DisplayName("A row without a test, a proof without its tag, a long proof that is not said, and a tag without a"
            + " row are refused")
    void disagreementsAreFound() {
        List<TaggedTest> tests = List.of(
                new TaggedTest("IsolationTest", "one", Set.of("A1")),
                new TaggedTest("OtherTest", "one", Set.of("A3")),
                new TaggedTest("StartTest", "one", Set.of("A4")),
                new TaggedTest("DrillTest", "one", Set.of("A6", "A7", "long")),
                new TaggedTest("SwitchTest", "one", Set.of("X9")));
        assertThat(Behaviours.disagreements(Behaviours.rows("""
                | A1 | proven | One worker per user. | `IsolationTest` |
                | A2 | proven | A life cycle. | `GoneTest` |
                | A3 | partly | A pool. | `PoolTest` |
                | A4 | open | A start path. |  |
                | A5 | done | A time. |  |
                | A6 | proven | An alarm. | `DrillTest` |
                | A7 | long | An alarm. | `DrillTest` |
                | A8 | measured | A time. | a guess |
                """), tests))
                .containsExactly(
                        "A2 is proven, but no test has its tag",
                        "A2 names GoneTest, which has no such tag",
                        "A3 names PoolTest, which has no such tag",
                        "A4 is open, but StartTest has its tag",
                        "A5 is neither proven, long, partly, measured nor open",
                        "A6 is proven, and its tests that only run with --long are [DrillTest]",
                        "A8 is measured by no benchmark",
                        "X9 has tests and no row");
    }

    private static Finding finding(String row, List<TestResult> results) {
        return Behaviours.finding(Behaviours.rows(row).getFirst(), TESTS, results);
    }

    private static TestResult result(String type, String method, Outcome outcome) {
        return new TestResult(type, method, outcome, outcome == Outcome.SKIPPED ? "no runc" : "");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            PASSED, PASSED, PROVEN, false
            PASSED, SKIPPED, SKIPPED, false
            FAILED, PASSED, FAILED, true
            ,       PASSED, NOT_RUN, true
            """)
    @DisplayName("A row is proven when all tests of the classes that it names ran and passed")
    void rowFollowsResults(Outcome sent, Outcome read, State state, boolean contradicts) {
        List<TestResult> results = new ArrayList<>();
        if (sent != null) {
            results.add(result("AlpacaTest", "ordersAreSentOnce", sent));
        }
        results.add(result("AlpacaTest", "answersAreRead", read));
        String row = "| A%s | proven | Text. | `AlpacaTest` |";
        String id = read == Outcome.SKIPPED ? "1" : "2";
        Finding finding = finding(row.replace("%s", id), results);
        assertThat(finding.state()).isEqualTo(state);
        assertThat(finding.contradictsPage()).isEqualTo(contradicts);
    }

    @Test
    @DisplayName("A row whose named class runs only with --long is long until it ran, whatever else passed")
    void longRowFollowsResults() {
        List<TestResult> quick = List.of(result("AlpacaTest", "ordersAreSentOnce", Outcome.PASSED));
        Finding claimed = finding("| A2 | proven | Text. | `AlpacaTest`, `FixTest` |", quick);
        assertThat(claimed.state()).isEqualTo(State.LONG);
        assertThat(claimed.why()).containsExactly("FixTest");
        assertThat(claimed.contradictsPage()).isTrue();
        assertThat(finding("| A2 | long | Text. | `FixTest` |", quick).contradictsPage())
                .isFalse();
        List<TestResult> all = List.of(quick.getFirst(), result("FixTest", "ordersAreSentOnce", Outcome.PASSED));
        assertThat(finding("| A2 | long | Text. | `AlpacaTest`, `FixTest` |", all)
                        .state())
                .isEqualTo(State.PROVEN);
    }

    @Test
    @DisplayName("Reports of Surefire are read: parameters, a class that was skipped, a failure and a report's suffix")
    void reportsAreRead(@TempDir Path module) throws IOException {
        Path reports = Files.createDirectories(module.resolve("target/surefire-reports"));
        Files.writeString(reports.resolve("TEST-AlpacaTest.xml"), """
                <testsuite>
                  <testcase name="answersAreRead(String)[2]" classname="dev.berth.AlpacaTest(long)"/>
                  <testcase name="ordersAreSentOnce" classname="dev.berth.AlpacaTest"><failure message="no"/></testcase>
                  <testcase name="ordersAreSentOnce" classname="dev.berth.FixTest[2](long)"/>
                  <testcase name="" classname="dev.berth.FixTest"><skipped message="no runc"/></testcase>
                </testsuite>
                """);
        Files.writeString(reports.resolve("AlpacaTest.txt"), "not a report");
        assertThat(TestResults.of(module))
                .containsExactly(
                        result("AlpacaTest", "answersAreRead", Outcome.PASSED),
                        result("AlpacaTest", "ordersAreSentOnce", Outcome.FAILED),
                        result("FixTest", "ordersAreSentOnce", Outcome.PASSED),
                        result("FixTest", "", Outcome.SKIPPED));
        assertThat(TestResults.of(module.resolve("target"))).isEmpty();
    }

    @Test
    @DisplayName("The tests of a module that did not run are skipped, and no contradiction")
    void moduleThatDidNotRunIsSkipped() {
        List<TestResult> leftOut = TestResults.leftOut(
                Path.of("infra/aws"),
                List.of(
                        Path.of("infra/aws/src/test/java/AlpacaTest.java"),
                        Path.of("infra/aws/src/test/java/Fixture.java"),
                        Path.of("infra/aws/src/main/java/FixTest.java")));
        assertThat(leftOut)
                .containsExactly(
                        new TestResult("AlpacaTest", "", Outcome.SKIPPED, "the tests of infra/aws did not run"));
        Finding finding = finding("| A2 | proven | Text. | `AlpacaTest` |", leftOut);
        assertThat(finding.state()).isEqualTo(State.SKIPPED);
        assertThat(finding.contradictsPage()).isFalse();
    }

    @Test
    @DisplayName("The report names what was skipped and what is long, points at a row that the page claims wrongly, and"
            + " ends with the number of tests")
    void reportNamesWhatIsNotProven() {
        List<TestResult> results = List.of(
                result("AlpacaTest", "ordersAreSentOnce", Outcome.PASSED),
                result("AlpacaTest", "answersAreRead", Outcome.SKIPPED));
        List<Finding> findings = Behaviours.rows("""
                        | A1 | proven | Text. | `AlpacaTest` |
                        | A2 | proven | Text. | `FixTest` |
                        """).stream()
                .map(row -> Behaviours.finding(row, TESTS, results))
                .toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TestReport.print(new PrintStream(out, true, StandardCharsets.UTF_8), true, TESTS, results, findings);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "Skipped: no runc: AlpacaTest",
                        "Only with --long: AlpacaTest, FixTest",
                        "      A1   proven   SKIPPED: AlpacaTest (no runc)",
                        "WRONG A2   proven   LONG: FixTest",
                        "Behaviours that are claimed: {SKIPPED=1, LONG=1}",
                        "Tests run: 2, Failures: 0, Errors: 0, Skipped: 1");
    }
}
