package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.RequestRates.Cost;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RequestRatesTest {
    private static final class Clock implements TimeMeter {
        private long nanos;

        @Override
        public long currentTimeNanos() {
            return nanos;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }

    private final Clock clock = new Clock();
    private final RequestRates rates = new RequestRates(new BerthSettings.Rates(2, 100, 200), clock);

    private int served(String user, Cost cost) {
        for (int number = 0; ; number++) {
            try {
                rates.take(user, cost);
            } catch (Problem.Refusal refusal) {
                assertThat(refusal.status().value()).isEqualTo(429);
                assertThat(refusal.retryAfterSeconds()).hasValue(1L);
                return number;
            }
        }
    }

    @Test
    @Tag("X23")
    @DisplayName("Each user has a burst and then a rate for each kind of request")
    void burstThenRate() {
        assertThat(served("alice", Cost.COMMAND)).isEqualTo(20);
        assertThat(served("alice", Cost.CHANGE)).isEqualTo(200);
        assertThat(served("alice", Cost.READ)).isEqualTo(400);
        assertThat(served("bob", Cost.COMMAND)).isEqualTo(20);
        clock.nanos += Duration.ofSeconds(1).toNanos();
        assertThat(served("alice", Cost.COMMAND)).isEqualTo(2);
        assertThat(served("alice", Cost.CHANGE)).isEqualTo(100);
        assertThat(served("alice", Cost.READ)).isEqualTo(200);
    }

    @Test
    @Tag("X32")
    @DisplayName("A user can have six test messages sent, and then one in 10 s; other requests do not count")
    void testMessagesAreFew() {
        for (int number = 0; number < 6; number++) {
            rates.take("alice", Cost.MESSAGE);
        }
        assertThatThrownBy(() -> rates.take("alice", Cost.MESSAGE))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.retryAfterSeconds()).hasValue(10L));
        rates.take("alice", Cost.COMMAND);
        rates.take("bob", Cost.MESSAGE);
        clock.nanos += Duration.ofSeconds(10).toNanos();
        rates.take("alice", Cost.MESSAGE);
        assertThatThrownBy(() -> rates.take("alice", Cost.MESSAGE)).isInstanceOf(Problem.Refusal.class);
    }

    @Test
    @Tag("X23")
    @DisplayName("Retry-After is the time of the next accepted request, in whole seconds")
    void retryAfterNamesNextRequest() {
        RequestRates slow = new RequestRates(new BerthSettings.Rates(0.1, 1, 1), clock);
        slow.take("alice", Cost.COMMAND);
        assertThatThrownBy(() -> slow.take("alice", Cost.COMMAND))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.retryAfterSeconds()).hasValue(10L));
    }

    @Test
    @Tag("X23")
    @DisplayName("Buckets of any number of users take bounded memory, and an active user's stays")
    void bucketsAreBounded() {
        served("alice", Cost.COMMAND);
        for (int user = 0; user < 100_000; user++) {
            rates.take("user-" + user, Cost.READ);
            if (user % 1_000 == 0) {
                assertThat(served("alice", Cost.COMMAND)).isZero();
            }
        }
        assertThat(rates.buckets()).isLessThanOrEqualTo(30_000);
    }
}
