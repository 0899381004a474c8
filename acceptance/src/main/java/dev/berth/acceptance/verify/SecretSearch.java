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

/** Searches for the secrets that the local stack gives to its users: {@code paper-{user}}. */
final class SecretSearch {
    private static final Pattern SECRET = Pattern.compile("paper-([a-z0-9][a-z0-9-]{0,62})");

    private final Set<String> users;
    private final List<String> found = new ArrayList<>();
    private int places;

    SecretSearch(Set<String> users) {
        this.users = users;
    }

    /**
     * The result of a search.
     *
     * @param places the number of searched files and tasks
     * @param found the user and the place of each secret, without the secret
     */
    record Searched(int places, List<String> found) {
        Searched {
            found = List.copyOf(found);
        }
    }

    /** Searches every file of a folder, which may be absent. */
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

    /** Reads any bytes, since logs may hold more than text. */
    private void file(Path file) throws IOException {
        places++;
        int line = 0;
        try (var lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                search(text, file + ":" + line);
            }
        }
    }

    /** Searches texts by the name of their place. */
    SecretSearch texts(Map<String, String> texts) {
        texts.forEach((place, text) -> {
            places++;
            search(text, place);
        });
        return this;
    }

    private void search(String text, String place) {
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
