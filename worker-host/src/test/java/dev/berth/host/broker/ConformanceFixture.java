package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A broker and a session with it, and what came from it. */
abstract class ConformanceFixture {
    protected static final long EPOCH = 7;
    protected static final Duration LIMIT = Duration.ofSeconds(5);
    /** An adapter waits before it connects again. */
    protected static final Duration RECONNECT = Duration.ofSeconds(1);

    protected static final WriteGate OPEN = Optional::empty;

    /** A report, and the order that it is about. */
    record Reported(String id, ExecutionReport report) {}

    protected final List<Reported> reports = new CopyOnWriteArrayList<>();
    protected ConformanceBroker broker;
    protected BrokerSession session;

    /** A broker with nothing but the account of {@link ConformanceBroker#credentials}. */
    abstract ConformanceBroker startBroker(Path folder) throws Exception;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        broker = startBroker(folder);
        session = open(EPOCH);
    }

    @AfterEach
    void stop() {
        session.close();
        broker.close();
    }

    protected BrokerSession open(long epoch) throws Exception {
        return broker.connector(epoch)
                .open(ACCOUNT, broker.credentials(), (id, report) -> reports.add(new Reported(id.value(), report)));
    }

    protected static VenueClientOrderId id(String text) {
        return VenueClientOrderId.parse(text);
    }

    protected ExecutionReport send(OrderRequest order) throws IOException, InterruptedException {
        return session.prepare(order).send(LIMIT, OPEN);
    }

    protected static AbstractThrowableAssert<?, ?> assertNotSent(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(NotSentException.class);
    }

    /** A session-bound adapter connects again in the background. */
    protected void awaitConnected() {
        Awaitility.await().ignoreExceptions().until(() -> {
            session.ping();
            return session.find(id("never-sent")).isEmpty();
        });
    }

    protected ExecutionReport awaitReport(String id, OrderStatus status) {
        return Awaitility.await()
                .until(() -> reportOf(id, status), Optional::isPresent)
                .orElseThrow();
    }

    protected Optional<ExecutionReport> reportOf(String id, OrderStatus status) {
        return reports.stream()
                .filter(reported -> reported.id.equals(id))
                .map(Reported::report)
                .filter(report -> report.status() == status)
                .findFirst();
    }

    protected void awaitFound(String id, OrderStatus status) {
        Awaitility.await().until(() -> session.find(id(id)).orElseThrow().status(), status::equals);
    }

    /** Reports of orders come once the subscription stands. */
    protected void awaitReported() {
        int[] probe = {0};
        // A report that is not acknowledged is sent again after 10 s.
        Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            String id = "probe-" + probe[0]++;
            send(belowMarket(id));
            session.cancel(id(id));
            return reports.stream().anyMatch(reported -> reported.id.startsWith("probe-"));
        });
    }
}
