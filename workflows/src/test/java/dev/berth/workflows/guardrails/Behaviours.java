package dev.berth.workflows.guardrails;

import dev.berth.workflows.guardrails.TaggedTests.TaggedTest;
import dev.berth.workflows.guardrails.TestResults.Outcome;
import dev.berth.workflows.guardrails.TestResults.TestResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rows of {@code docs/behaviours.md}, and what tests say about them. */
final class Behaviours {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-ETX]\\d+) \\| (\\w+) \\| .+ \\| (.*) \\|$");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");
    private static final Pattern ID = Pattern.compile("[A-ETX]\\d+");

    /**
     * A behaviour.
     *
     * @param status what the page says: proven, long, partly, measured or open
     * @param proof the test classes that the page names
     */
    record Behaviour(String id, String status, Set<String> proof, String proofText) {
        boolean isClaimed() {
            return Set.of("proven", "long", "partly").contains(status);
        }
    }

    /** How a run leaves a row. Of two that hold, the first counts. */
    enum State {
        FAILED,
        NOT_RUN,
        SKIPPED,
        LONG,
        PROVEN
    }

    /**
     * What a run says about a row.
     *
     * @param why the tests that the state comes from; empty for {@link State#PROVEN}
     */
    record Finding(Behaviour row, State state, Set<String> why) {
        /** Whether the page says otherwise; a test that this machine cannot run does not. */
        boolean contradictsPage() {
            return switch (state) {
                case FAILED, NOT_RUN -> row.isClaimed();
                case LONG -> row.status().equals("proven");
                case SKIPPED, PROVEN -> false;
            };
        }
    }

    private Behaviours() {}

    static List<Behaviour> rows(String page) {
        return ROW.matcher(page)
                .results()
                .map(row -> new Behaviour(row.group(1), row.group(2), classes(row.group(3)), row.group(3)))
                .toList();
    }

    private static Set<String> classes(String proof) {
        return CLASS.matcher(proof)
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Where the page and the tags of the tests differ. */
    static List<String> disagreements(List<Behaviour> rows, Collection<TaggedTest> tests) {
        List<String> found = new ArrayList<>();
        Set<String> withoutRow = new TreeSet<>();
        tests.forEach(test -> withoutRow.addAll(test.tags()));
        withoutRow.removeIf(tag -> !ID.matcher(tag).matches());
        for (Behaviour row : rows) {
            withoutRow.remove(row.id());
            Set<String> tagged = tests.stream()
                    .filter(test -> test.tags().contains(row.id()))
                    .map(TaggedTest::type)
                    .collect(Collectors.toCollection(TreeSet::new));
            switch (row.status()) {
                case "proven", "long", "partly" -> {
                    if (tagged.isEmpty()) {
                        found.add(row.id() + " is " + row.status() + ", but no test has its tag");
                    }
                    row.proof().stream()
                            .filter(name -> !tagged.contains(name))
                            .forEach(name -> found.add(row.id() + " names " + name + ", which has no such tag"));
                    Set<String> onlyLong = onlyLong(row, tests);
                    if (row.status().equals("long") == onlyLong.isEmpty()
                            && !row.status().equals("partly")) {
                        found.add(row.id() + " is " + row.status() + ", and its tests that only run with --long are "
                                + onlyLong);
                    }
                }
                case "open" -> tagged.forEach(test -> found.add(row.id() + " is open, but " + test + " has its tag"));
                case "measured" -> {
                    if (!row.proofText().contains("./berth bench")) {
                        found.add(row.id() + " is measured by no benchmark");
                    }
                }
                default -> found.add(row.id() + " is neither proven, long, partly, measured nor open");
            }
        }
        withoutRow.forEach(id -> found.add(id + " has tests and no row"));
        return found;
    }

    /** The named classes whose tests of the row are all long. */
    private static Set<String> onlyLong(Behaviour row, Collection<TaggedTest> tests) {
        return row.proof().stream()
                .filter(name -> isOnlyLong(of(row, name, tests)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOnlyLong(List<TaggedTest> own) {
        return !own.isEmpty() && own.stream().allMatch(TaggedTest::isLong);
    }

    private static List<TaggedTest> of(Behaviour row, String type, Collection<TaggedTest> tests) {
        return tests.stream()
                .filter(test -> test.type().equals(type) && test.tags().contains(row.id()))
                .toList();
    }

    /** What a run says about a row: a failure of any tagged test counts, else the named classes. */
    static Finding finding(Behaviour row, Collection<TaggedTest> tests, Collection<TestResult> results) {
        Set<String> failed = new TreeSet<>();
        for (TaggedTest test : tests) {
            if (test.tags().contains(row.id())
                    && results.stream().anyMatch(result -> result.isOf(test) && result.outcome() == Outcome.FAILED)) {
                failed.add(test.type());
            }
        }
        Set<String> notRun = new TreeSet<>();
        Set<String> skipped = new TreeSet<>();
        Set<String> onlyLong = new TreeSet<>();
        for (String name : row.proof()) {
            List<TaggedTest> own = of(row, name, tests);
            List<TestResult> ran = results.stream()
                    .filter(result -> own.stream().anyMatch(result::isOf))
                    .toList();
            if (ran.isEmpty()) {
                (isOnlyLong(own) ? onlyLong : notRun).add(name);
            }
            ran.stream()
                    .filter(result -> result.outcome() == Outcome.SKIPPED)
                    .forEach(result -> skipped.add(name + " (" + result.reason() + ")"));
        }
        for (State state : State.values()) {
            Set<String> why = switch (state) {
                case FAILED -> failed;
                case NOT_RUN -> notRun;
                case SKIPPED -> skipped;
                case LONG -> onlyLong;
                case PROVEN -> Set.of();
            };
            if (!why.isEmpty()) {
                return new Finding(row, state, why);
            }
        }
        return new Finding(row, State.PROVEN, Set.of());
    }
}
