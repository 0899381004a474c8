package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.SpanRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.temporal.tracing.FinishedSpan;
import dev.berth.workflows.Json;
import dev.berth.workflows.TestTemporal;
import dev.berth.workflows.TraceContext;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerSpanTest {
    private static final Instant START = Instant.parse("2026-01-05T14:30:00Z");
    private static final TraceContext ORDER = TraceContext.start(true);
    private static final SpanRequest SPAN =
            new SpanRequest(ORDER.child(), ORDER, "submitOrder", false, START, START.plusMillis(5), false);

    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final TestTemporal TEMPORAL = GatewayFixture.temporal();

    private GatewayFixture gateway;
    private TestTask alice;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, TEMPORAL.stubs());
        alice = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @AfterAll
    static void stopTemporal() {
        TEMPORAL.close();
    }

    /** A worker that does not check what it sends. */
    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String json) {
            return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream answer) {
            throw new IllegalStateException("requests only");
        }
    }

    @Test
    @Tag("X30")
    @DisplayName("A worker's span is exported with the user, the epoch and the task that the gateway knows")
    void spanIsExported() {
        alice.call(GatewayMethods.RECORD_SPAN, SPAN);
        assertThat(gateway.exported.all()).hasSize(1);
        FinishedSpan span = gateway.exported.all().getFirst();
        assertThat(span.context()).isEqualTo(SPAN.context());
        assertThat(span.parent()).isEqualTo(Optional.of(ORDER));
        assertThat(span.name()).isEqualTo("submitOrder");
        assertThat(span.attributes())
                .containsEntry("berth.user_id", "alice")
                .containsEntry("berth.epoch", "7")
                .containsEntry("berth.task", alice.id());
    }

    @ParameterizedTest
    @Tag("X16")
    @DisplayName("What is no span is refused: of another trace, ending before its start, with any text as its name")
    @CsvSource({
        "submitOrder, order o-1 of alice",
        "2026-01-05T14:30:00.005Z, 2026-01-05T14:29:00Z",
        "-01, -zz",
    })
    void otherIsRefused(String part, String other) {
        String json = Json.write(SPAN).replace(part, other);
        assertThat(json).isNotEqualTo(Json.write(SPAN));
        MethodDescriptor<String, Empty> unchecked = GatewayMethods.RECORD_SPAN.toBuilder(
                        new Text(), GatewayMethods.RECORD_SPAN.getResponseMarshaller())
                .build();
        assertRefused(gateway, Refusal.ARGUMENT, Code.INVALID_ARGUMENT, () -> alice.call(unchecked, json));
        assertThat(gateway.exported.all()).isEmpty();
    }
}
