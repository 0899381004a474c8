package dev.berth.acceptance.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks for the secrets that the local stack gives to its users: {@code paper-{user}}. */
final class SecretSearch {
    private static final Pattern SECRET = Pattern.compile("paper-([a-z0-9][a-z0-9-]{0,62})");

    private final Set<String> users;
    private final List<String> found = new ArrayList<>();
    private int places;

    SecretSearch(Set<String> users) {
        this.users = users;
    }

    /**
     * What came of it.
     *
     * @param places files and tasks that were looked at
     * @param found whose secret stands where; the secret itself is not repeated
     */
    record Searched(int places, List<String> found) {
        Searched {
            found = List.copyOf(found);
        }
    }

    /** Looks at every file of a folder, which may be absent. */
    SecretSearch files(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    file(file);
                }
            }
        }
        return this;
    }

    /** Logs may hold bytes that are no text. */
    private void file(Path file) throws IOException {
        places++;
        int line = 0;
        try (var lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                look(text, file + ":" + line);
            }
        }
    }

    /** Looks at texts by the name of their place. */
    SecretSearch texts(Map<String, String> texts) {
        texts.forEach((place, text) -> {
            places++;
            look(text, place);
        });
        return this;
    }

    private void look(String text, String place) {
        var matcher = SECRET.matcher(text);
        while (matcher.find()) {
            if (users.contains(matcher.group(1))) {
                found.add("the secret of " + matcher.group(1) + " stands in " + place);
            }
        }
    }

    Searched searched() {
        return new Searched(places, found);
    }
}
