package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @Test
    @Tag("X30")
    @DisplayName("A traceparent is read as W3C Trace Context says, later versions included")
    void headerIsRead() {
        TraceContext sampled = new TraceContext(TRACE, SPAN, true);
        assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-01")).hasValue(sampled);
        assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-00"))
                .hasValue(new TraceContext(TRACE, SPAN, false));
        assertThat(TraceContext.read("cc-" + TRACE + "-" + SPAN + "-03-what-comes-later"))
                .hasValue(sampled);
        assertThat(sampled).hasToString("00-" + TRACE + "-" + SPAN + "-01");
    }

    @ParameterizedTest
    @Tag("X30")
    @ValueSource(
            strings = {
                "",
                "00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
            })
    void otherHeadersAreIgnored(String header) {
        assertThat(TraceContext.read(header)).isEmpty();
    }

    @Test
    void endlessHeaderIsIgnored() {
        assertThat(TraceContext.read("cc-" + TRACE + "-" + SPAN + "-01-" + "a".repeat(500)))
                .isEmpty();
        assertThat(TraceContext.read(null)).isEmpty();
    }

    @Test
    @Tag("X30")
    @DisplayName("Every process derives the same id for the order's span, in the trace of the request")
    void childIsDerived() {
        TraceContext request = TraceContext.start(true);
        assertThat(request.child("order"))
                .isEqualTo(TraceContext.of(request.toString()).child("order"));
        assertThat(request.child("order").traceId()).isEqualTo(request.traceId());
        assertThat(TraceContext.read(request.child("order").toString())).hasValue(request.child("order"));
        assertThat(request.child("order").spanId()).isNotEqualTo(request.spanId());
        assertThat(request.child()).isNotEqualTo(request.child());
    }

    @Test
    @Tag("X30")
    @DisplayName("The trace is no content of the order: a repeat in another trace is the same order")
    void traceIsNoContent() {
        var order = Samples.market(Duration.ofMinutes(1));
        assertThat(Json.write(order)).doesNotContain("trace");
        assertThat(order.span()).isEmpty();
        var traced = order.traced(TraceContext.start(true));
        assertThat(traced.contentHash()).isEqualTo(order.contentHash());
        assertThat(Json.read(Json.write(traced), order.getClass())).isEqualTo(traced);
        assertThat(traced.span()).isPresent();
    }
}
