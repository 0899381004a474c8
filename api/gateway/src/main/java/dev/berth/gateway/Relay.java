package dev.berth.gateway;

import io.grpc.stub.StreamObserver;
import java.util.function.Function;

/**
 * Hands Temporal's answer to a worker.
 *
 * @param answer what the worker gets for it
 */
record Relay<T, A>(StreamObserver<A> worker, Function<T, A> answer) implements StreamObserver<T> {
    static <A> Relay<A, A> of(StreamObserver<A> worker) {
        return new Relay<>(worker, Function.identity());
    }

    @Override
    public void onNext(T said) {
        worker.onNext(answer.apply(said));
    }

    @Override
    public void onError(Throwable failure) {
        worker.onError(Upstream.relayed(failure));
    }

    @Override
    public void onCompleted() {
        worker.onCompleted();
    }
}
