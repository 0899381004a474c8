package dev.berth.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.temporal.api.common.v1.Payload;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DataConverterTest {
    private record Known(String word) {}

    @Test
    @DisplayName("X12 a field that this version does not know is passed over")
    void unknownField() {
        Payload written =
                TemporalConnection.DATA_CONVERTER.toPayload(new Known("old")).orElseThrow();
        Payload newer = written.toBuilder()
                .setData(ByteString.copyFromUtf8("{\"word\":\"new\",\"addedLater\":{\"a\":[1]}}"))
                .build();
        assertThat(TemporalConnection.DATA_CONVERTER.fromPayload(newer, Known.class, Known.class))
                .isEqualTo(new Known("new"));
    }
}
