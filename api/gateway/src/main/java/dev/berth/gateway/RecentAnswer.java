package dev.berth.gateway;

import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An answer that is the same for all callers and changes rarely; a failure is not kept. */
final class RecentAnswer<A> {
    static final Duration VALIDITY = Duration.ofSeconds(10);

    private record Kept<A>(A answer, long nanos) {}

    private final LongSupplier clock;
    private volatile @Nullable Kept<A> kept;

    /** @param clock as {@link System#nanoTime} */
    RecentAnswer(LongSupplier clock) {
        this.clock = clock;
    }

    Optional<A> get() {
        Kept<A> last = kept;
        return last == null || clock.getAsLong() - last.nanos > VALIDITY.toNanos()
                ? Optional.empty()
                : Optional.of(last.answer);
    }

    /** Keeps what passes to the observer. */
    StreamObserver<A> remembering(StreamObserver<A> observer) {
        return new StreamObserver<>() {
            @Override
            public void onNext(A answer) {
                kept = new Kept<>(answer, clock.getAsLong());
                observer.onNext(answer);
            }

            @Override
            public void onError(Throwable failure) {
                observer.onError(failure);
            }

            @Override
            public void onCompleted() {
                observer.onCompleted();
            }
        };
    }
}
