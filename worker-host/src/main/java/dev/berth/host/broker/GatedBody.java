package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request behind a gate. {@link java.net.http.HttpClient} asks for it when the connection is there; the
 * headers may be written by then, but a broker does nothing with a request whose body never comes.
 */
final class GatedBody implements BodyPublisher {
    private enum State {
        WAITING,
        WRITTEN,
        SHUT
    }

    private final BodyPublisher body;
    private final WriteGate gate;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile @Nullable Declined objection;

    GatedBody(String body, WriteGate gate) {
        this.body = BodyPublishers.ofString(body);
        this.gate = gate;
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> connection) {
        try {
            objection = gate.objection().orElse(null);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            shut();
        }
        if (objection == null && state.compareAndSet(State.WAITING, State.WRITTEN)) {
            body.subscribe(connection);
        } else {
            shut();
            refuse(connection);
        }
    }

    private static void refuse(Flow.Subscriber<? super ByteBuffer> connection) {
        connection.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                // There is nothing to come.
            }

            @Override
            public void cancel() {
                // It has ended already.
            }
        });
        connection.onError(new IOException("the request was withdrawn"));
    }

    /**
     * Keeps the body from being written if it is not under way yet.
     *
     * @return whether it never will be
     */
    boolean shut() {
        return state.compareAndSet(State.WAITING, State.SHUT) || state.get() == State.SHUT;
    }

    /** Why nothing was written, once it is shut. */
    IOException because(IOException failure) {
        Declined said = objection;
        return said != null
                ? new ObjectionException(said)
                : new NotSentException("the broker could not be reached", failure);
    }
}
