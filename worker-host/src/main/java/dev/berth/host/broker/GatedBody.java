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
 * A request body behind a gate. {@link java.net.http.HttpClient} subscribes to the body when the
 * connection is open; the headers may be written by then, but a broker ignores a request without
 * its body. The client demands the body's one part as soon as it is subscribed, on this thread, and
 * writes it to the socket; so nothing waits between the gate and the write.
 */
final class GatedBody implements BodyPublisher {
    private enum WriteState {
        WAITING,
        WRITTEN,
        CANCELED
    }

    private final BodyPublisher body;
    private final WriteGate gate;
    private final AtomicReference<WriteState> state = new AtomicReference<>(WriteState.WAITING);
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
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            cancel();
        }
        if (objection == null && state.compareAndSet(WriteState.WAITING, WriteState.WRITTEN)) {
            body.subscribe(connection);
        } else {
            cancel();
            refuse(connection);
        }
    }

    private static void refuse(Flow.Subscriber<? super ByteBuffer> connection) {
        connection.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                // No data follows.
            }

            @Override
            public void cancel() {
                // The subscription has ended.
            }
        });
        connection.onError(new IOException("the request was canceled before its body"));
    }

    /**
     * Cancels the body unless it is being written.
     *
     * @return whether the body is never written
     */
    boolean cancel() {
        return state.compareAndSet(WriteState.WAITING, WriteState.CANCELED) || state.get() == WriteState.CANCELED;
    }

    /** Why nothing was written, once the body is canceled. */
    IOException toException(IOException failure) {
        Declined declined = objection;
        return declined != null
                ? new ObjectionException(declined)
                : new NotSentException("the broker could not be reached", failure);
    }
}
