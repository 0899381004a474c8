package dev.berth.activities.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** How many users came, by their orders. */
class UserArrivalsTest {
    private static final Instant OPEN = Instant.parse("2026-11-24T14:00:00Z");
    private static final Instant CLOSE = Instant.parse("2026-11-24T21:00:00Z");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private Instant now = CLOSE.plus(Duration.ofHours(12));
    private int orders;
    private UserArrivals arrivals;

    @BeforeEach
    void start() {
        InstantSource clock = () -> now;
        arrivals = new UserArrivals(postgres.client(), clock);
    }

    private void order(String user, long minutesAfterOpen) {
        postgres.client()
                .update(
                        "INSERT INTO orders (user_id, client_order_id, request_hash, symbol, status, revision,"
                                + " submitted_at, state) VALUES (?, ?, '', 'AAPL', 'FILLED', 1, ?, '{}')",
                        user,
                        "o-" + ++orders,
                        Timestamp.from(OPEN.plus(Duration.ofMinutes(minutesAfterOpen))));
    }

    @Tag("X14")
    @DisplayName("Each user counts once in the five minutes in which the user came; the busiest five minutes count")
    @Test
    void countsBusiestMinutes() {
        order("alice", 31);
        order("alice", 32);
        order("bob", 34);
        order("carol", 35);
        order("alice", 36);
        assertThat(arrivals.peak(OPEN, CLOSE)).hasValue(2);
    }

    @Tag("X14")
    @DisplayName("A user whose worker was idle for half an hour comes again; orders outside the session do not count")
    @Test
    void countsReturningUsers() {
        order("alice", 10);
        order("alice", 100);
        order("bob", 101);
        order("carol", 102);
        order("dave", -1);
        order("erin", -1);
        order("frank", 420);
        assertThat(arrivals.peak(OPEN, CLOSE)).hasValue(3);
    }

    @Tag("X14")
    @DisplayName("A session without orders has no users; one under way is counted anew, one that is over once")
    @Test
    void remembersPastSessions() {
        now = OPEN.plus(Duration.ofHours(1));
        assertThat(arrivals.peak(OPEN, CLOSE)).hasValue(0);
        order("alice", 50);
        assertThat(arrivals.peak(OPEN, CLOSE)).hasValue(1);
        now = CLOSE;
        assertThat(arrivals.peak(OPEN, CLOSE)).hasValue(1);
        order("bob", 50);
        assertThat(arrivals.peak(OPEN, CLOSE)).hasValue(1);
        assertThat(arrivals.peak(OPEN, CLOSE.plusSeconds(1))).hasValue(2);
    }

    @Tag("X14")
    @DisplayName("Without PostgreSQL the demand is not known, and is asked for again after 10 s")
    @Test
    void demandIsUnknownWithoutPostgres() {
        JdbcTemplate unavailable = new JdbcTemplate(new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/none"));
        UserArrivals unknown = new UserArrivals(unavailable, () -> now);
        order("alice", 50);
        assertThat(unknown.peak(OPEN, CLOSE)).isEmpty();
        unavailable.setDataSource(postgres.database());
        assertThat(unknown.peak(OPEN, CLOSE)).isEmpty();
        now = now.plusSeconds(10);
        assertThat(unknown.peak(OPEN, CLOSE)).hasValue(1);
    }
}
