package dev.berth.acceptance.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.temporal.tracing.OtlpReceiver;
import dev.berth.temporal.tracing.OtlpReceiver.ReceivedSpan;
import dev.berth.workflows.TraceContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One trace id from the client's request to the broker's answer. */
@Tag("long")
@ExtendWith(StackExtension.class)
class TracingTest {
    private static final TraceContext CLIENT = TraceContext.start(true);

    private final Stack stack;
    private final Trader trader;

    TracingTest(Stack stack) throws IOException {
        this.stack = stack;
        this.trader = stack.trader("traced");
    }

    /** By the name alone: an order that is sent once has one span of each. */
    private static ReceivedSpan one(List<ReceivedSpan> trace, String name) {
        return trace.stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " in " + trace));
    }

    private JsonResponse submit(String id, TraceContext trace) throws IOException, InterruptedException {
        JsonResponse answer = trader.submit(
                OrderBody.market(id, "AAPL", "buy", "1").json(),
                "Prefer",
                "wait=30",
                TraceContext.HEADER,
                trace.toString());
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        assertThat(answer.text("status")).isEqualTo("FILLED");
        assertThat(answer.text("traceId")).isEqualTo(trace.traceId());
        return answer;
    }

    private static TraceContext header(JsonResponse answer) {
        return TraceContext.of(
                answer.raw().headers().firstValue(TraceContext.HEADER).orElseThrow());
    }

    private void restart(Map<String, String> settings) throws IOException, InterruptedException {
        for (String name : List.of("gateway-watch", "gateway", "api")) {
            stack.process(name).kill();
        }
        stack.with(settings).berth("up");
    }

    @Test
    @Tag("X30")
    @DisplayName(
            "The spans of an order, of API and worker, are one trace below the client's span; without their receiver"
                    + " orders go on")
    void orderIsOneTrace() throws Exception {
        try {
            assertOneTrace();
            submit("without-receiver", TraceContext.start(true));
        } finally {
            restart(Map.of());
        }
    }

    private void assertOneTrace() throws Exception {
        try (OtlpReceiver receiver = new OtlpReceiver()) {
            restart(Map.of("BERTH_OTLP_ENDPOINT", receiver.endpoint().toString(), "OTEL_BSP_SCHEDULE_DELAY", "100"));
            TraceContext request = header(submit("spans", CLIENT));
            List<ReceivedSpan> trace = await().until(
                            () -> receiver.trace(CLIENT.traceId()),
                            spans -> spans.stream()
                                    .map(ReceivedSpan::name)
                                    .toList()
                                    .containsAll(List.of(
                                            "POST /v1/orders", "order", "FILLED", "submitOrder", "broker submission")));
            ReceivedSpan rest = one(trace, "POST /v1/orders");
            ReceivedSpan order = one(trace, "order");
            ReceivedSpan activity = one(trace, "submitOrder");
            ReceivedSpan broker = one(trace, "broker submission");
            assertThat(rest.parentId()).isEqualTo(CLIENT.spanId());
            assertThat(rest.spanId()).isEqualTo(request.spanId());
            assertThat(order.parentId()).isEqualTo(rest.spanId());
            assertThat(one(trace, "PENDING").parentId()).isEqualTo(order.spanId());
            assertThat(one(trace, "FILLED").parentId()).isEqualTo(order.spanId());
            assertThat(activity.parentId()).isEqualTo(order.spanId());
            assertThat(broker.parentId()).isEqualTo(activity.spanId());
            assertThat(List.of(rest.service(), order.service())).containsOnly("berth-api");
            assertThat(List.of(activity.service(), broker.service())).containsOnly("berth-worker");
            assertThat(activity.attributes()).containsEntry("berth.user_id", "traced");
        }
    }

    @Test
    @Tag("X30")
    @DisplayName("Without an export the trace's id is in the answer, in problem documents and in the worker's log")
    void traceIdIsInAnswersAndLogs() throws Exception {
        JsonResponse answer = submit("logged", CLIENT);
        assertThat(header(answer).traceId()).isEqualTo(CLIENT.traceId());
        assertThat(header(answer).sampled()).as("nothing is exported").isFalse();
        assertThat(trader.order("logged").traceId()).isEqualTo(CLIENT.traceId());
        JsonResponse problem = trader.get("/v1/orders/none");
        assertThat(problem.status()).isEqualTo(404);
        assertThat(problem.text("traceId"))
                .matches("[0-9a-f]{32}")
                .isEqualTo(header(problem).traceId());
        await().until(() -> logLines("\"orderId\":\"logged\""), lines -> !lines.isEmpty());
        assertThat(logLines("\"orderId\":\"logged\""))
                .allSatisfy(line -> assertThat(line).contains("\"traceId\":\"" + CLIENT.traceId() + "\""));
    }

    /** The lines in the logs of workers that contain the part. */
    private List<String> logLines(String part) throws IOException {
        try (Stream<Path> logs = Files.list(stack.home().resolve("log"))) {
            return logs.filter(log -> log.getFileName().toString().startsWith("task-"))
                    .flatMap(TracingTest::lines)
                    .filter(line -> line.contains(part))
                    .toList();
        }
    }

    private static Stream<String> lines(Path log) {
        try {
            return Files.readAllLines(log).stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
