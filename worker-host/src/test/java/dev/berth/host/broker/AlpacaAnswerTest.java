package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every answer to every request, beside the tables of {@code docs/adapters.md}. */
class AlpacaAnswerTest {
    private static final VenueClientOrderId ID = VenueClientOrderId.parse("o-1");
    /** No answer is late here; a machine that stands still for some seconds makes none. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final List<Integer> STATUSES = List.of(
            200, 201, 202, 204, 301, 302, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418,
            421, 422, 423, 425, 426, 429, 431, 444, 451, 460, 499, 500, 501, 502, 503, 504, 520, 521, 522, 524, 529,
            530, 599);

    /** A body, by the words of the first table. */
    private record Body(String kind, String text, boolean isCut) {
        Body(String kind, String text) {
            this(kind, text, false);
        }
    }

    private static final String ORDER = """
            {"id":"v-1","client_order_id":"%s","status":"new","symbol":"AAPL","side":"buy","type":"limit","qty":"10",\
            "limit_price":"0.98","filled_qty":"0","filled_avg_price":null,"updated_at":"2026-03-02T12:00:00Z"}""";
    private static final String ASKED_FOR = "what was asked for";

    private static final List<Body> BODIES = List.of(
            new Body(ASKED_FOR, ORDER),
            new Body("own", "{\"code\":40310000,\"message\":\"insufficient buying power\"}"),
            new Body("own", "{\"code\":42210000,\"message\":\"\"}"),
            new Body("own, code 5…", "{\"code\":50010000,\"message\":\"internal server error occurred\"}"),
            new Body("own, code 4011…", "{\"code\":40110000,\"message\":\"request is not authorized\"}"),
            new Body(
                    "own, \"client_order_id must be unique\"",
                    "{\"code\":40010001,\"message\":\"client_order_id must be unique\"}"),
            new Body("own, \"order not found\"", "{\"code\":40410000,\"message\":\"order not found for o-1\"}"),
            new Body("own", "{\"code\":40410000,\"message\":\"endpoint not found.\"}"),
            new Body("`{\"message\":\"forbidden.\"}`", "{\"message\":\"forbidden.\"}"),
            new Body("a gateway's", "{\"message\":\"Forbidden\"}"),
            new Body("a gateway's", "{\"message\":\"forbidden.\",\"requestId\":\"7\"}"),
            new Body("another's", "{\"code\":-1007,\"msg\":\"Send status unknown; execution status unknown.\"}"),
            new Body("another's", "{\"code\":\"40310000\",\"message\":\"no number\"}"),
            new Body("another's", "{\"code\":40310000}"),
            new Body("another's", "{\"code\":403,\"message\":\"Access denied\"}"),
            new Body("another's", "{\"error\":{\"code\":40310000,\"message\":\"insufficient buying power\"}}"),
            new Body("another's", ORDER.replace("%s", "o-2")),
            new Body("JSON", "[]"),
            new Body("JSON", "null"),
            new Body("JSON", "\"forbidden.\""),
            new Body("JSON", "40310000"),
            new Body("HTML", "<html><head><title>403 Forbidden</title></head><body>cloudflare</body></html>"),
            new Body("HTML", "<html>{\"code\":40310000,\"message\":\"insufficient buying power\"}</html>"),
            new Body("empty", ""),
            new Body("cut", ORDER, true),
            new Body("cut", "{\"code\":40310000,\"message\":\"insufficient buying power\"}", true),
            new Body("cut", "{\"code\":40310000,\"mess"));

    private record Answer(int status, Body body) {
        @Override
        public String toString() {
            return status + " " + body.kind + (body.isCut ? " of" : "") + " " + body.text;
        }
    }

    /** What is asked of the broker, and how it is answered meanwhile. */
    private enum Request {
        SUBMISSION("POST"),
        LOOK_UP("GET"),
        CANCEL("DELETE"),
        REPLACEMENT("PATCH"),
        SESSION("GET");

        private final String method;

        Request(String method) {
            this.method = method;
        }

        String column() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private HttpServer broker;
    private Request request = Request.SUBMISSION;
    private Answer answer = new Answer(200, BODIES.getFirst());
    private String says = "done";

    @BeforeEach
    void start() throws IOException {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        broker.createContext("/", this::serve);
        broker.start();
    }

    @AfterEach
    void stop() {
        broker.stop(0);
    }

    private void serve(HttpExchange call) throws IOException {
        call.getRequestBody().readAllBytes();
        if (call.getRequestMethod().equals(request.method)) {
            write(call, answer.status, answer.body);
        } else if (call.getRequestURI().getQuery().endsWith("o-1") && mayBeThere()) {
            write(call, 200, BODIES.getFirst());
        } else {
            // What is refused, or the version that would replace it.
            write(call, 404, new Body("", "{\"code\":40410000,\"message\":\"order not found for another\"}"));
        }
    }

    /** A submitted order is there only as a duplicate. */
    private boolean mayBeThere() {
        return request != Request.SUBMISSION || says.equals("duplicate");
    }

    /** As the tables name it: what is asked for differs between the requests. */
    private Answer answer(int status, Body body) {
        boolean mayHaveBody = status != 204 && status != 304;
        String text = mayHaveBody ? body.text : "";
        String kind = !mayHaveBody ? "empty" : body.kind;
        boolean isAskedFor = switch (request) {
            case SUBMISSION, LOOK_UP, REPLACEMENT -> kind.equals(ASKED_FOR);
            case CANCEL -> kind.equals("empty");
            case SESSION -> text.startsWith("{\"id\"") && !body.isCut;
        };
        if (isAskedFor) {
            kind = ASKED_FOR;
        } else if (kind.equals(ASKED_FOR)) {
            kind = "another's";
        }
        return new Answer(status, new Body(kind, text, body.isCut && mayHaveBody));
    }

    private void write(HttpExchange call, int status, Body body) throws IOException {
        String id = call.getRequestMethod().equals("PATCH") ? "o-1.r1" : "o-1";
        byte[] bytes = body.text.replace("%s", id).getBytes(StandardCharsets.UTF_8);
        int length = body.isCut ? bytes.length + 1 : bytes.length;
        try (call) {
            call.sendResponseHeaders(status, length == 0 ? -1 : length);
            call.getResponseBody().write(bytes);
        }
    }

    /** What the adapter makes of the answer, in the words of the second table. */
    private String outcome() throws InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + broker.getAddress().getPort());
        AlpacaHttp http = new AlpacaHttp(
                TestVenue.HTTP, uri, new BrokerCredentials("alice", "paper-alice"), 1, new RequestBudget(1_000));
        try (AlpacaSession session = new AlpacaSession(http, LIMIT, ACCOUNT, (_, _) -> {})) {
            return switch (request) {
                case SUBMISSION -> submitted(session.prepare(belowMarket("o-1")).send(LIMIT, Optional::empty));
                case LOOK_UP -> session.find(ID).isPresent() ? "found" : "absent";
                case CANCEL -> session.cancel(ID).orElseThrow().reason() == null ? "done" : "refused";
                case REPLACEMENT -> replaced(session.replace(replacement(), Optional::empty));
                case SESSION -> {
                    session.verify();
                    yield "open";
                }
            };
        } catch (NotSentException notSent) {
            return "not sent";
        } catch (RefusedException refused) {
            return "credentials refused";
        } catch (IOException nothing) {
            return request == Request.SUBMISSION || request == Request.REPLACEMENT ? "unknown" : "try later";
        }
    }

    private static String submitted(ExecutionReport report) {
        return report.status() == OrderStatus.REJECTED ? "refused" : "accepted";
    }

    private static ReplaceOrder replacement() {
        OrderTerms wanted = new OrderTerms(Decimal.of("10"), Decimal.of("0.99"), null);
        return new ReplaceOrder(belowMarket("o-1"), 0, 1, wanted, Decimal.ZERO);
    }

    private static String replaced(ReplaceOutcome outcome) {
        return switch (outcome) {
            case ReplaceOutcome.Replaced _ -> "replaced";
            case ReplaceOutcome.NotReplaced(var _, var reason) ->
                reason.text().startsWith("The broker refused") ? "refused" : "not sent";
        };
    }

    /** A line of the first table. */
    private record Line(String status, String body, String says) {
        boolean fits(Answer answer) {
            return (status.equals("any")
                            || List.of(status.split(", ")).contains(String.valueOf(answer.status))
                            || (status.equals("2xx") && answer.status / 100 == 2))
                    && (body.equals("any") || answer.body.kind.equals(body) || isOwn(answer));
        }

        private boolean isOwn(Answer answer) {
            return body.equals("own") && answer.body.kind.startsWith("own");
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("Every answer to every request has the outcome that the tables of the document say")
    void outcomesAreAsDocumented() throws Exception {
        List<Line> lines = AdaptersDocument.table("status").stream()
                .skip(1)
                .map(cells -> new Line(cells.get(0), cells.get(1), cells.get(2)))
                .toList();
        List<List<String>> outcomes = AdaptersDocument.table("says");
        SoftAssertions cells = new SoftAssertions();
        for (Request asked : Request.values()) {
            int column = outcomes.getFirst().indexOf(asked.column());
            for (int status : STATUSES) {
                for (Body body : BODIES) {
                    request = asked;
                    answer = answer(status, body);
                    says = lines.stream()
                            .filter(line -> line.fits(answer))
                            .findFirst()
                            .orElseThrow()
                            .says;
                    String expected = outcomes.stream()
                            .filter(row -> row.getFirst().equals(says))
                            .findFirst()
                            .orElseThrow()
                            .get(column);
                    cells.assertThat(outcome()).as("%s: %s", asked, answer).isEqualTo(expected);
                }
            }
        }
        cells.assertAll();
    }
}
