package dev.berth.rest.identity;

import dev.berth.rest.Scope;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which scopes of Berth the words of a token grant: roles, groups or scopes of an identity
 * provider. Without any entry the words are the scopes themselves. Any other word grants nothing.
 */
final class RoleScopes {
    private static final String SETTING = "berth.auth.roles: ";

    private final Map<String, Set<String>> byRole = new LinkedHashMap<>();

    /**
     * Reads the setting. It is one text, since the name of an environment variable keeps neither
     * case nor colons. A role may contain all but a semicolon: no scope contains {@code =}.
     *
     * @param text such as {@code trader=orders:read orders:trade; CN=ops,DC=example=fleet}
     */
    RoleScopes(String text) {
        for (String entry : text.split("[;\n]", -1)) {
            if (!entry.isBlank()) {
                add(entry.strip());
            }
        }
    }

    private void add(String entry) {
        int equals = entry.lastIndexOf('=');
        String role = entry.substring(0, Math.max(0, equals)).strip();
        List<String> scopes = words(entry.substring(equals + 1));
        if (role.isEmpty() || scopes.isEmpty()) {
            throw new IllegalArgumentException(
                    SETTING + "'" + entry + "' is not a role, = and scopes, such as trader=orders:read orders:trade");
        }
        for (String scope : scopes) {
            if (!Scope.WORDS.contains(scope)) {
                throw new IllegalArgumentException(SETTING + "'" + role + "' is given '" + scope
                        + "', which is no scope of Berth. Scopes are " + String.join(", ", Scope.WORDS));
            }
        }
        if (byRole.put(role, new LinkedHashSet<>(scopes)) != null) {
            throw new IllegalArgumentException(
                    SETTING + "'" + role + "' stands twice. Write all its scopes after one =, with spaces between");
        }
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }

    /**
     * The scopes that a claim grants. Of a list, each text is one word, and may contain spaces; one
     * text is a role itself, or words with spaces between.
     */
    Set<String> granted(Object claim) {
        Collection<?> roles = claim instanceof String text
                ? byRole.containsKey(text) ? List.of(text) : words(text)
                : claim instanceof Collection<?> list ? list : List.of();
        Set<String> granted = new LinkedHashSet<>();
        for (Object role : roles) {
            if (!byRole.isEmpty()) {
                granted.addAll(byRole.getOrDefault(role, Set.of()));
            } else if (role instanceof String word && Scope.WORDS.contains(word)) {
                granted.add(word);
            }
        }
        return granted;
    }
}
