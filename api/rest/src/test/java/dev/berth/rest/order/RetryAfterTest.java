package dev.berth.rest.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.rest.risk.AdmissionDecision.Drain;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
    @ParameterizedTest(name = "{0} drained and {1} refused in 10 s: {2} to {3} s")
    @CsvSource({"100, 49, 3, 7", "10, 9, 5, 15", "1000, 0, 1, 1", "0, 0, 20, 60", "1, 500, 20, 60"})
    @Tag("X7")
    @DisplayName("Retry-After is the expected wait by the drain rate with jitter, 1 to 60 s")
    void retryAfterIsExpectedWait(long drained, long refused, long shortest, long longest) {
        Drain drain = new Drain(drained, refused, 10);
        assertThat(RetryAfter.seconds(drain, () -> 0)).isEqualTo(shortest);
        assertThat(RetryAfter.seconds(drain, () -> 0.999_999)).isEqualTo(longest);
    }
}
