package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which API is called, and with whose token.
 *
 * @param token given by the environment; without one this machine signs a token of the local stack
 * @param home the folder of the local stack
 */
record ApiAccess(String apiUrl, @Nullable String token, Path home) {
    private static final Duration TOKEN_LIFETIME = Duration.ofHours(24);
    private static final String LOCAL_API = "http://127.0.0.1:";

    static ApiAccess of(Map<String, String> variables) {
        String given = variables.getOrDefault("BERTH_TOKEN", "");
        String url = variables.getOrDefault("BERTH_API_URL", "");
        return new ApiAccess(
                url.isEmpty() ? LOCAL_API + variables.getOrDefault("BERTH_API_PORT", "8080") : url,
                given.isEmpty() ? null : given,
                Path.of(variables.getOrDefault("BERTH_HOME", ".berth")));
    }

    /** An operator is known by the name of the login. */
    ApiClient operator() {
        String login = System.getProperty("user.name", "");
        return new ApiClient(apiUrl, token == null ? sign(login.isBlank() ? "operator" : login, "fleet") : token);
    }

    /**
     * The API as a trader calls it.
     *
     * @param user the subject of a token that is signed; ignored when the environment gives one
     */
    ApiClient trader(@Nullable String user) {
        if (token != null) {
            return new ApiClient(apiUrl, token);
        }
        if (user == null || user.isBlank()) {
            throw CommandFailure.wrongUsage("whose? Add --user USER, or set BERTH_TOKEN.");
        }
        if (user.startsWith("u-")) {
            throw CommandFailure.wrongUsage("'" + user + "' may be the id of a subject: name the subject.");
        }
        return new ApiClient(apiUrl, sign(user, LocalToken.TRADER));
    }

    String sign(String subject, String scope) {
        Path key = home.resolve("token.key");
        try {
            Files.createDirectories(home);
            LocalToken.makeKey(key);
            return LocalToken.sign(key, subject, scope, TOKEN_LIFETIME);
        } catch (IOException noKey) {
            throw new UncheckedIOException(noKey);
        }
    }
}
