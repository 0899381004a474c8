package dev.berth.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentAnswerTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RecentAnswer<String> answers = new RecentAnswer<>(nanos::get);
    private final List<String> received = new ArrayList<>();

    private final StreamObserver<String> caller = new StreamObserver<>() {
        @Override
        public void onNext(String answer) {
            received.add(answer);
        }

        @Override
        public void onError(Throwable failure) {
            received.add(Status.fromThrowable(failure).getCode().name());
        }

        @Override
        public void onCompleted() {
            received.add("completed");
        }
    };

    @Test
    void keepsAnAnswerForItsValidity() {
        StreamObserver<String> answer = answers.remembering(caller);
        answer.onNext("first");
        answer.onCompleted();
        assertThat(received).containsExactly("first", "completed");
        nanos.addAndGet(RecentAnswer.VALIDITY.toNanos());
        assertThat(answers.get()).contains("first");
        nanos.incrementAndGet();
        assertThat(answers.get()).isEmpty();
    }

    @Test
    void keepsNoFailure() {
        answers.remembering(caller).onError(Status.UNAVAILABLE.asRuntimeException());
        assertThat(received).containsExactly("UNAVAILABLE");
        assertThat(answers.get()).isEmpty();
    }
}
