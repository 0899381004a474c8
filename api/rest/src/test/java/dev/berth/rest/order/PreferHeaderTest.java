package dev.berth.rest.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreferHeaderTest {
    @Test
    void noWaitWithoutHeader() {
        assertThat(PreferHeader.timeout(Optional.empty())).isZero();
        assertThat(PreferHeader.timeout(Optional.of("return=minimal"))).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=5                          | PT5S",
                "wait=0                          | PT0S",
                "respond-async, wait=5           | PT5S",
                "wait=5, return=minimal          | PT5S",
                "return=minimal;wait=5           | PT5S",
                "wait=60                         | PT60S",
                "wait=61                         | PT60S",
                "wait=999999999                  | PT60S"
            })
    void waitIsReadAndCapped(String header, Duration timeout) {
        assertThat(PreferHeader.timeout(Optional.of(header))).isEqualTo(timeout);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait", "wait=", "wait=soon", "wait=-1", "wait=1.5", "wait=5s", "wait=9999999999"})
    void invalidSecondsAreRefused(String header) {
        assertThatThrownBy(() -> PreferHeader.timeout(Optional.of(header)))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.detail().getType())
                                .isEqualTo(Problem.INVALID_REQUEST.detail("").getType()));
    }
}
