package dev.berth.workflows.guardrails;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests of all sources with their tags, those of their class and its superclasses included. */
final class TaggedTests {
    private static final String LONG = "long";

    private static final Pattern PART = Pattern.compile("(?m)^ *@Tag\\(\"(?<tag>\\w+)\"\\)"
            + "|^(?<modifiers>(?:\\w+ )*)class (?<type>\\w+)(?:<.*>)?(?: extends (?<parent>\\w+))?"
            + "|^ {4}@(?<test>\\w*Test)\\b"
            + "|^ {4}(?:[\\w<>?, ]+ )?(?<method>\\w+)\\(");

    /**
     * A test method that runs as one of a class.
     *
     * @param type the simple name of the class, which no other class of the repository has
     */
    record TaggedTest(String type, String method, Set<String> tags) {
        /** Only {@code ./berth test --long} runs it. */
        boolean isLong() {
            return tags.contains(LONG);
        }
    }

    private record TestType(String parent, boolean isAbstract, Set<String> tags, Map<String, Set<String>> methods) {}

    private TaggedTests() {}

    /** @param sources texts of Java files */
    static List<TaggedTest> in(Iterable<String> sources) {
        Map<String, TestType> types = new HashMap<>();
        sources.forEach(text -> read(text, types));
        List<TaggedTest> tests = new ArrayList<>();
        types.forEach((name, type) -> {
            if (!type.isAbstract()) {
                add(name, type, Set.of(), types, tests);
            }
        });
        return tests;
    }

    private static void read(String text, Map<String, TestType> types) {
        Set<String> tags = new TreeSet<>();
        boolean isTest = false;
        TestType type = null;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            if (part.group("tag") != null) {
                tags.add(part.group("tag"));
                continue;
            }
            if (part.group("test") != null) {
                isTest = true;
                continue;
            }
            if (part.group("type") != null) {
                type = new TestType(
                        String.valueOf(part.group("parent")),
                        part.group("modifiers").contains("abstract"),
                        Set.copyOf(tags),
                        new HashMap<>());
                types.put(part.group("type"), type);
            } else if (isTest && type != null) {
                type.methods().put(part.group("method"), Set.copyOf(tags));
            }
            isTest = false;
            tags.clear();
        }
    }

    private static void add(
            String name, TestType from, Set<String> inherited, Map<String, TestType> types, List<TaggedTest> tests) {
        Set<String> tags = union(inherited, from.tags());
        from.methods().forEach((method, own) -> tests.add(new TaggedTest(name, method, union(tags, own))));
        TestType parent = types.get(from.parent());
        if (parent != null) {
            add(name, parent, tags, types, tests);
        }
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }
}
