package dev.berth.aws;

import dev.berth.workflows.UserGroup;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The chosen value of each {@link Size}. */
record Sizes(Map<Size, String> values) {
    Sizes {
        values = Map.copyOf(values);
        requireOrder(values, Size.API_TASKS, Size.API_TASKS_MAX);
        requireOrder(values, Size.ORCHESTRATOR_TASKS, Size.ORCHESTRATOR_TASKS_MAX);
        requireOrder(values, Size.GATEWAY_TASKS, Size.GATEWAY_TASKS_MAX);
        requireOrder(values, Size.WORKER_HOSTS, Size.WORKER_HOSTS_MAX);
        List<UserGroup> groups = userGroups(values.getOrDefault(Size.GROUPS, ""));
        if (Set.copyOf(groups).size() < groups.size()) {
            throw new IllegalArgumentException("groups must name each group once, and not the default one.");
        }
    }

    /**
     * The standard sizes, with these changes.
     *
     * @param changes each {@code name=value}
     * @throws IllegalArgumentException for an unknown name or a malformed value
     */
    static Sizes of(List<String> changes) {
        Map<Size, String> values = new EnumMap<>(Size.class);
        for (Size size : Size.values()) {
            values.put(size, size.standard());
        }
        for (String change : changes) {
            String[] parts = change.split("=", 2);
            Size size = Arrays.stream(Size.values())
                    .filter(known -> known.key().equals(parts[0]))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("there is no size '" + parts[0] + "'. There are: " + names()));
            if (parts.length == 1 || !size.accepts(parts[1])) {
                throw new IllegalArgumentException(
                        "'" + change + "' does not fit: " + size.key() + " is " + size.meaning() + ".");
            }
            values.put(size, parts[1]);
        }
        return new Sizes(values);
    }

    private static String names() {
        return Arrays.stream(Size.values()).map(Size::key).collect(Collectors.joining(", "));
    }

    private static void requireOrder(Map<Size, String> values, Size least, Size most) {
        if (Integer.parseInt(values.getOrDefault(least, "")) > Integer.parseInt(values.getOrDefault(most, ""))) {
            throw new IllegalArgumentException(least.key() + " must be at most " + most.key() + ".");
        }
    }

    /** A name of the application's, as this installation has it: two of one region do not meet. */
    String own(String standard) {
        return text(Size.NAME).equals(Size.NAME.standard())
                ? standard
                : text(Size.NAME) + "-" + standard.replaceFirst("^" + Size.NAME.standard() + "-", "");
    }

    String text(Size size) {
        return values.getOrDefault(size, size.standard());
    }

    int number(Size size) {
        return Integer.parseInt(text(size));
    }

    /** The default group, and those that were chosen. */
    List<UserGroup> userGroups() {
        return userGroups(text(Size.GROUPS));
    }

    private static List<UserGroup> userGroups(String chosen) {
        return Stream.concat(
                        Stream.of(UserGroup.DEFAULT),
                        Stream.of(chosen.split(",")).flatMap(name -> UserGroup.parse(name).stream()))
                .toList();
    }

    boolean isTemporalSelfHosted() {
        return text(Size.TEMPORAL).equals("self-hosted");
    }
}
