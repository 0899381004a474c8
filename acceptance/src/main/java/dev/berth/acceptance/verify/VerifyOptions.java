package dev.berth.acceptance.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The options of a check.
 *
 * @param json prints JSON instead of text
 * @param maxWait the longest wait for a clean result, since writes and visibility lag behind
 * @param users the users to check; empty for all
 */
record VerifyOptions(boolean json, Duration maxWait, Set<String> users, List<Freeze> freezes) {
    static final String USAGE =
            "Usage: ./berth verify [-o json|text] [--wait SECONDS] [--user USER]... [--tolerate FROM/TO]...";

    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofDays(1);

    VerifyOptions {
        users = Set.copyOf(users);
        freezes = List.copyOf(freezes);
    }

    /** @throws IllegalArgumentException with the reason */
    static VerifyOptions parse(String... arguments) {
        boolean json = false;
        Duration maxWait = DEFAULT_WAIT;
        Set<String> users = new HashSet<>();
        List<Freeze> freezes = new ArrayList<>();
        for (int index = 0; index < arguments.length; index += 2) {
            String option = arguments[index];
            if (!Set.of("-o", "--output", "--wait", "--user", "--tolerate").contains(option)) {
                throw new IllegalArgumentException("there is no option '" + option + "'.");
            }
            if (index + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " has no value.");
            }
            String value = arguments[index + 1];
            switch (option) {
                case "--wait" -> maxWait = seconds(value);
                case "--user" -> users.add(user(value));
                case "--tolerate" -> freezes.add(Freeze.parse(value));
                default -> json = isJson(value);
            }
        }
        return new VerifyOptions(json, maxWait, users, freezes);
    }

    private static boolean isJson(String output) {
        if (!output.equals("json") && !output.equals("text")) {
            throw new IllegalArgumentException("the output is text or json.");
        }
        return output.equals("json");
    }

    private static String user(String value) {
        if (!value.matches("[a-z0-9][a-z0-9-]{0,62}")) {
            throw new IllegalArgumentException("'" + value + "' is no user id.");
        }
        return value;
    }

    private static Duration seconds(String value) {
        if (value.matches("\\d{1,6}") && Integer.parseInt(value) <= LONGEST.toSeconds()) {
            return Duration.ofSeconds(Integer.parseInt(value));
        }
        throw new IllegalArgumentException("--wait takes whole seconds, up to " + LONGEST.toSeconds() + ".");
    }
}
