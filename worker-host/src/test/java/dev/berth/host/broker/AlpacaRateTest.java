package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.workflows.Json;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("X19")
class AlpacaRateTest {
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");
    private static final JsonNode OWN = Json.tree("{\"code\":42910000,\"message\":\"rate limit exceeded\"}");

    private final AtomicLong nanos = new AtomicLong();
    private final RequestBudget budget = new RequestBudget(100, nanos::get);

    private void answer(int status, Map<String, String> headers) {
        answer(new AlpacaAnswer(status, OWN), headers);
    }

    private void answer(AlpacaAnswer answer, Map<String, String> headers) {
        Map<String, List<String>> all = headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
        new AlpacaRate(HttpHeaders.of(all, (_, _) -> true), NOW).apply(answer, budget);
    }

    private boolean maySend() throws InterruptedException {
        return budget.take(Purpose.CANCEL, Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            429 | 20                            | 20
            429 | 600                           | 600
            429 | 900                           | 600
            503 | 3                             | 3
            429 | Mon, 2 Mar 2026 12:00:30 GMT  | 30
            """)
    @DisplayName("No request is sent before the time of Retry-After")
    void waitsForRetryAfter(int status, String retryAfter, long seconds) throws Exception {
        answer(status, Map.of("Retry-After", retryAfter));
        nanos.addAndGet(Duration.ofSeconds(seconds).minusMillis(1).toNanos());
        assertThat(maySend()).isFalse();
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(maySend()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-5",
                "soon",
                "",
                "31536000",
                "99999999999999999999",
                "1e9",
                "Mon, 1 Mar 2027 12:00:00 GMT",
                "Sun, 1 Mar 2026 12:00:00 GMT",
                "86401"
            })
    @DisplayName("A Retry-After that makes no sense is ignored: a 429 pauses for a second, a 503 not at all")
    void ignoresNonsense(String retryAfter) throws Exception {
        answer(503, Map.of("Retry-After", retryAfter));
        assertThat(maySend()).isTrue();
        answer(429, Map.of("Retry-After", retryAfter));
        assertThat(maySend()).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(maySend()).isTrue();
    }

    @Test
    @DisplayName("A page that stands in the broker's place pauses the account for a minute at most")
    void pagePausesForShort() throws Exception {
        answer(new AlpacaAnswer(503, MissingNode.getInstance()), Map.of("Retry-After", "600"));
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(maySend()).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(maySend()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1772452830",
        "-1, 0, 1772452830",
        "many, 0, 1772452830",
        "200, -1, 1772452830",
        "200, 201, 1772452830",
        "2147483648, 0, 1772452830",
        "200, 0, 0",
        "200, 0, 1803988800",
        "200, 0, tomorrow"
    })
    @DisplayName("A count that makes no sense is ignored")
    void ignoresNonsenseOfTheCount(String limit, String remaining, String reset) throws Exception {
        answer(200, Map.of("X-RateLimit-Limit", limit, "X-RateLimit-Remaining", remaining, "X-RateLimit-Reset", reset));
        assertThat(budget.used()).isZero();
        assertThat(maySend()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"200", "0", "many"})
    @DisplayName("A 429 pauses until the window ends, also when the count makes no sense")
    void waitsForTheWindow(String limit) throws Exception {
        answer(
                429,
                Map.of(
                        "X-RateLimit-Limit",
                        limit,
                        "X-RateLimit-Remaining",
                        "0",
                        "X-RateLimit-Reset",
                        String.valueOf(NOW.getEpochSecond() + 30)));
        nanos.addAndGet(Duration.ofSeconds(29).toNanos());
        assertThat(maySend()).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(maySend()).isTrue();
    }
}
