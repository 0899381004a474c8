package dev.berth.workflows.guardrails;

import dev.berth.workflows.guardrails.TaggedTests.TaggedTest;
import dev.berth.workflows.guardrails.TestResults.Outcome;
import dev.berth.workflows.guardrails.TestResults.TestResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
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
     * @param proof what the page names as its proof
     */
    record Behaviour(String id, String status, String proof) {
        boolean isClaimed() {
            return Set.of("proven", "long", "partly").contains(status);
        }

        /** The test classes of the proof. */
        Set<String> classes() {
            return CLASS.matcher(proof)
                    .results()
                    .map(name -> name.group(1))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private boolean isTagOf(TaggedTest test) {
            return test.tags().contains(id);
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
                .map(row -> new Behaviour(row.group(1), row.group(2), row.group(3)))
                .toList();
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
                    .filter(row::isTagOf)
                    .map(TaggedTest::type)
                    .collect(Collectors.toCollection(TreeSet::new));
            switch (row.status()) {
                case "proven", "long", "partly" -> {
                    if (tagged.isEmpty()) {
                        found.add(row.id() + " is " + row.status() + ", but no test has its tag");
                    }
                    row.classes().stream()
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
                    if (!row.proof().contains("./berth bench")) {
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
        return row.classes().stream()
                .filter(name -> isOnlyLong(of(row, name, tests)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOnlyLong(List<TaggedTest> own) {
        return !own.isEmpty() && own.stream().allMatch(TaggedTest::isLong);
    }

    private static List<TaggedTest> of(Behaviour row, String type, Collection<TaggedTest> tests) {
        return tests.stream()
                .filter(test -> test.type().equals(type) && row.isTagOf(test))
                .toList();
    }

    /** What a run says about a row: a failure of any tagged test counts, else the named classes. */
    static Finding finding(Behaviour row, Collection<TaggedTest> tests, Collection<TestResult> results) {
        Map<State, Set<String>> why = new EnumMap<>(State.class);
        BiConsumer<State, String> add = (state, name) ->
                why.computeIfAbsent(state, _ -> new TreeSet<>()).add(name);
        tests.stream()
                .filter(row::isTagOf)
                .filter(test ->
                        results.stream().anyMatch(result -> result.isOf(test) && result.outcome() == Outcome.FAILED))
                .forEach(test -> add.accept(State.FAILED, test.type()));
        for (String name : row.classes()) {
            List<TaggedTest> own = of(row, name, tests);
            List<TestResult> ran = results.stream()
                    .filter(result -> own.stream().anyMatch(result::isOf))
                    .toList();
            if (ran.isEmpty()) {
                add.accept(isOnlyLong(own) ? State.LONG : State.NOT_RUN, name);
            }
            ran.stream()
                    .filter(result -> result.outcome() == Outcome.SKIPPED)
                    .forEach(result -> add.accept(State.SKIPPED, name + " (" + result.reason() + ")"));
        }
        return why.entrySet().stream()
                .findFirst()
                .map(first -> new Finding(row, first.getKey(), first.getValue()))
                .orElse(new Finding(row, State.PROVEN, Set.of()));
    }
}
