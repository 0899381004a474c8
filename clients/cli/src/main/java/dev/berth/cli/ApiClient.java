package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Calls the REST API with a bearer token. The token never stands on a command line. */
final class ApiClient {
    static final Duration CALL = Duration.ofSeconds(30);
    private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final String apiUrl;
    private final String token;
    private final HttpClient http;

    ApiClient(String apiUrl, String token) {
        this.apiUrl = apiUrl;
        this.token = token;
        this.http = client(apiUrl);
    }

    /**
     * The default TLS context parses every root certificate, which doubles the time of a command.
     */
    private static HttpClient client(String apiUrl) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        if (apiUrl.startsWith("http:")) {
            try {
                builder.sslContext(SSLContext.getInstance("TLS")).sslParameters(new SSLParameters());
            } catch (NoSuchAlgorithmException everyJdkHasIt) {
                throw new IllegalStateException(everyJdkHasIt);
            }
        }
        return builder.build();
    }

    String get(String path) {
        return call("GET", path, null, CALL);
    }

    /** The body of the answer. */
    String call(String method, String path, @Nullable JsonNode body, Duration timeout, String... headers) {
        HttpRequest.Builder request = request(path, "application/json, application/problem+json")
                .timeout(timeout)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return accepted(send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8)))
                .body();
    }

    /** Shows the CSV of this path and of every page behind it. */
    void csv(String path, Consumer<String> shown) {
        Optional<String> next = Optional.of(path);
        while (next.isPresent()) {
            HttpRequest request = request(next.get(), "text/csv, application/problem+json")
                    .timeout(CALL)
                    .GET()
                    .build();
            HttpResponse<String> page = accepted(send(request, BodyHandlers.ofString(StandardCharsets.UTF_8)));
            shown.accept(page.body());
            next = page.headers().firstValue("Link").flatMap(ApiClient::next);
        }
    }

    /** Path and query of the link to the next page: the host is the API's as it sees itself. */
    private static Optional<String> next(String link) {
        return Optional.of(NEXT.matcher(link))
                .filter(Matcher::matches)
                .map(next -> URI.create(next.group(1)))
                .map(uri -> uri.getRawPath() + "?" + uri.getRawQuery());
    }

    private static HttpResponse<String> accepted(HttpResponse<String> answer) {
        if (answer.statusCode() >= 400) {
            throw CommandFailure.refused(
                    answer.statusCode(),
                    ApiJson.read(answer.body()).path("detail").asText(),
                    answer.body());
        }
        return answer;
    }

    /** The stream of server-sent events; the caller closes it. */
    InputStream events(String path) {
        HttpResponse<InputStream> answer =
                send(request(path, "text/event-stream").GET().build(), BodyHandlers.ofInputStream());
        if (answer.statusCode() >= 400) {
            throw CommandFailure.refused(answer.statusCode(), "the stream was not opened", "");
        }
        return answer.body();
    }

    private HttpRequest.Builder request(String path, String accept) {
        try {
            return HttpRequest.newBuilder(URI.create(apiUrl + path))
                    .header("Accept", accept)
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + token);
        } catch (IllegalArgumentException noUrl) {
            throw CommandFailure.unreachable(apiUrl);
        }
    }

    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException unreachable) {
            throw CommandFailure.unreachable(apiUrl);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted");
        }
    }
}
