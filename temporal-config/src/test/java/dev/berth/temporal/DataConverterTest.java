package dev.berth.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.DataConverterException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataConverterTest {
    private record Known(String word) {}

    @Test
    @Tag("X12")
    @DisplayName("Unknown fields are ignored")
    void ignoresUnknownField() {
        Payload written =
                TemporalClients.DATA_CONVERTER.toPayload(new Known("old")).orElseThrow();
        Payload newer = written.toBuilder()
                .setData(ByteString.copyFromUtf8("{\"word\":\"new\",\"addedLater\":{\"a\":[1]}}"))
                .build();
        assertThat(TemporalClients.DATA_CONVERTER.fromPayload(newer, Known.class, Known.class))
                .isEqualTo(new Known("new"));
    }

    record Timed(Instant since) {}

    @Tag("X23")
    @DisplayName("Errors never quote the payload")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"since\":\"hush\"}",
                "{\"since\":hush}",
                "{\"since\":{\"hush\":1}}",
                "hush",
                "\"hush\"",
                "[\"hush\"]"
            })
    void errorDoesNotQuotePayload(String json) {
        Payload payload = TemporalClients.DATA_CONVERTER.toPayload(new Timed(Instant.EPOCH)).orElseThrow().toBuilder()
                .setData(ByteString.copyFromUtf8(json))
                .build();
        Payloads arguments = Payloads.newBuilder().addPayloads(payload).build();
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> TemporalClients.DATA_CONVERTER.fromPayload(payload, Timed.class, Timed.class),
                () -> TemporalClients.DATA_CONVERTER.fromPayloads(0, Optional.of(arguments), Timed.class, Timed.class),
                () -> TemporalClients.DATA_CONVERTER.fromPayloads(
                        Optional.of(arguments), new Class<?>[] {Timed.class}, new Type[] {Timed.class}))) {
            assertThatThrownBy(read).isInstanceOf(DataConverterException.class).satisfies(thrown -> {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString()).contains("Timed").doesNotContain("hush");
            });
        }
    }
}
