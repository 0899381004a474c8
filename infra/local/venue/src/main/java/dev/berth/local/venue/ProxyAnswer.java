package dev.berth.local.venue;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer in place of the venue's, as a proxy or a firewall in front of it gives.
 *
 * @param method of the requests that get it; null: of every method
 * @param path how theirs begins; null: {@code /v2/}
 * @param carriedOut whether the venue carries the request out all the same
 * @param status the HTTP status; null: the venue's
 * @param headers besides the venue's
 * @param body null: the venue's
 * @param cut whether the last byte of the body is missing, and the connection ends
 * @param probability of it (0 to 1)
 */
record ProxyAnswer(
        @Nullable String method,
        @Nullable String path,
        boolean carriedOut,
        @Nullable Integer status,
        Map<String, String> headers,
        @Nullable String body,
        boolean cut,
        double probability) {

    ProxyAnswer {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        if (status != null && (status < 200 || status > 599)) {
            throw new IllegalArgumentException("status must be between 200 and 599");
        }
        if (!carriedOut && (status == null || body == null)) {
            throw new IllegalArgumentException("what is not carried out needs a status and a body");
        }
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability must be between 0 and 1");
        }
    }

    boolean isFor(String requestMethod, String requestPath) {
        return (method == null || method.equals(requestMethod)) && (path == null || requestPath.startsWith(path));
    }
}
