package dev.berth.acceptance.overload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that protect the process and other users from one user's requests. */
@ExtendWith(StackExtension.class)
class RequestLimitTest {
    private static final int MOST_BYTES = 65_536;

    private final Stack stack;
    private final Trader trader;

    RequestLimitTest(Stack stack) throws Exception {
        this.stack = stack;
        this.trader = stack.trader("limited");
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body, String type)
            throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return http.send(
                    HttpRequest.newBuilder(stack.api().base().resolve(path))
                            .header("Authorization", trader.bearer())
                            .header("Content-Type", type)
                            .method(method, body)
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    /** A body of unknown length, which HTTP sends in chunks. */
    private static BodyPublisher chunked(byte[] body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String problem) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"urn:berth:problem:" + problem + "\"");
    }

    @ParameterizedTest(name = "{0} {1}, {2}")
    @Tag("X23")
    @DisplayName("A body of more than 64 KiB is 413, with a length or in chunks")
    @CsvSource({
        "POST, /v1/orders, application/json",
        "POST, /v1/orders, application/x-www-form-urlencoded",
        "PUT, /v1/accounts/alpaca/equity/paper/large/credentials, application/json",
        "POST, /v1/worker, application/json",
    })
    void largeBodyIsRefused(String method, String path, String type) throws Exception {
        byte[] large = " ".repeat(MOST_BYTES + 1).getBytes(US_ASCII);
        assertRefused(send(method, path, BodyPublishers.ofByteArray(large), type), 413, "body-too-large");
        assertRefused(send(method, path, chunked(large), type), 413, "body-too-large");
    }

    @Test
    @Tag("X23")
    @DisplayName("A body of 64 KiB is read")
    void largestBodyIsRead() throws Exception {
        String order = OrderBody.market("large", "NONE", "buy", "1").json();
        byte[] largest = (order + " ".repeat(MOST_BYTES - order.length())).getBytes(US_ASCII);
        for (BodyPublisher body : new BodyPublisher[] {BodyPublishers.ofByteArray(largest), chunked(largest)}) {
            assertRefused(send("POST", "/v1/orders", body, "application/json"), 422, "unknown-symbol");
        }
    }

    @ParameterizedTest
    @Tag("E12")
    @DisplayName("A malformed request is 400 with a problem document")
    @ValueSource(
            strings = {
                "GET /v1/orders?limit=%zz HTTP/1.1",
                "GET /v1/orders?a=% HTTP/1.1",
                "GET /v1/orders/%zz HTTP/1.1",
                "GET /v1/orders/a%2Fb HTTP/1.1",
                "GET /v1/orders/a;b HTTP/1.1",
                "GET /v1/orders//a HTTP/1.1",
                "GET /v1/orders/%00 HTTP/1.1",
                "GET /v1/orders/{a} HTTP/1.1",
                "ODD /v1/orders HTTP/1.1",
            })
    void malformedRequestIsRefused(String line) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), stack.port("API", 8080))) {
            String request = "%s\r\nHost: localhost\r\nAuthorization: %s\r\nConnection: close\r\n\r\n"
                    .formatted(line, trader.bearer());
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 400");
            assertThat(answer).contains("Content-Type: application/problem+json");
            assertThat(answer).contains("\"urn:berth:problem:invalid-request\"");
        }
    }

    @Test
    @Tag("X23")
    @DisplayName("A body in YAML is 415")
    void yamlIsRefused() throws Exception {
        assertRefused(
                send("POST", "/v1/orders", BodyPublishers.ofString("limitPrise: 1"), "application/yaml"),
                415,
                "unsupported-media-type");
    }

    @Test
    @Tag("X23")
    @DisplayName("Each class of requests has a rate per user; above it 429 with Retry-After")
    void ratesAreLimitedPerUserAndClass() throws Exception {
        try (ApiReplica replica = ApiReplica.start(
                stack,
                Map.of(
                        "BERTH_RATES_COMMANDS_PER_SECOND", "0.01",
                        "BERTH_RATES_CHANGES_PER_SECOND", "0.01",
                        "BERTH_RATES_READS_PER_SECOND", "0.01"))) {
            Trader busy = replica.of(stack.trader("rate-busy"));
            Trader other = replica.of(stack.trader("rate-other"));
            assertThat(busy.delete("/v1/worker").status()).isEqualTo(202);
            for (RestClient.JsonResponse over : new RestClient.JsonResponse[] {
                busy.delete("/v1/worker"),
                busy.post("/v1/worker"),
                busy.delete("/v1/accounts/alpaca/equity/paper/none"),
                busy.delete("/v1/webhooks/none"),
                busy.post("/v1/webhooks/none:redeliver"),
            }) {
                assertRateLimited(over);
            }
            assertThat(busy.get("/v1/orders/none").status()).isEqualTo(404);
            assertRateLimited(busy.get("/v1/worker"));
            assertThat(busy.delete("/v1/orders/none").status()).isEqualTo(404);
            assertRateLimited(busy.submit("{}"));
            assertThat(other.delete("/v1/worker").status()).isEqualTo(202);
            assertThat(other.get("/v1/worker").status()).isEqualTo(200);
        }
    }

    @Test
    @Tag("X32")
    @DisplayName("A user can ask for few test messages a minute, whatever the other rates are")
    void testMessagesAreFew() throws Exception {
        Trader tester = stack.trader("rate-tester");
        for (int number = 0; number < 6; number++) {
            assertThat(tester.post("/v1/webhooks/none:test").status()).isEqualTo(404);
        }
        assertRateLimited(tester.post("/v1/webhooks/none:test"));
        assertThat(tester.get("/v1/webhooks").status()).isEqualTo(200);
    }

    private static void assertRateLimited(RestClient.JsonResponse answer) {
        assertRefused(answer.raw(), 429, "request-rate");
        assertThat(Long.parseLong(
                        answer.raw().headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1L, 100L);
    }

    @Test
    @Timeout(60)
    @Tag("X23")
    @DisplayName("A stream ends when its token expires")
    void streamEndsWithItsToken() throws Exception {
        trader.submit(OrderBody.limit("streamed", "AAPL", "buy", "1", "50"), 30);
        String brief = "Bearer " + new Tokens(stack).sign(trader.user(), Tokens.TRADER, Duration.ofSeconds(6));
        Instant began = Instant.now();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(stack.api().base() + "/v1/orders/streamed/events"))
                            .header("Authorization", brief)
                            .header("Accept", "text/event-stream")
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"NEW\"");
        }
        assertThat(Duration.between(began, Instant.now())).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(12));
        trader.delete("/v1/orders/streamed");
    }

    @Test
    @Tag("X23")
    @DisplayName("PostgreSQL cancels a statement that waits too long, and the call is 503")
    void slowStatementIsCanceled() throws Exception {
        try (Connection postgres = stack.openPostgres();
                Statement statement = postgres.createStatement()) {
            postgres.setAutoCommit(false);
            statement.execute("lock table accounts in access exclusive mode");
            Instant began = Instant.now();
            assertRefused(trader.get("/v1/accounts").raw(), 503, "unavailable");
            assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(9));
            postgres.rollback();
        }
        assertThat(trader.get("/v1/accounts").status()).isEqualTo(200);
    }
}
