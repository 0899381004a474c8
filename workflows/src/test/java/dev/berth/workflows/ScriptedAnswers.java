package dev.berth.workflows;

import io.temporal.activity.Activity;
import io.temporal.client.ActivityCompletionException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a fake says: the prepared answers and failures in their order, then the usual one for ever.
 */
public final class ScriptedAnswers<A> {
    private final Queue<Supplier<? extends A>> prepared = new ConcurrentLinkedQueue<>();
    private volatile Supplier<? extends A> usual;

    public ScriptedAnswers(A usual) {
        this.usual = () -> usual;
    }

    public void usual(Supplier<? extends A> answer) {
        usual = answer;
    }

    public void next(A answer) {
        prepared.add(() -> answer);
    }

    /** May wait for the test's next step, as a broker would whose worker fell silent. */
    public void nextFrom(Supplier<? extends A> answer) {
        prepared.add(answer);
    }

    /**
     * Waits for the test's next step, as a broker would whose worker is well: it goes on telling
     * so.
     */
    public void nextFrom(CompletableFuture<? extends A> answer) {
        prepared.add(() -> {
            while (!answer.isDone()) {
                beat();
                answer.copy()
                        .completeOnTimeout(null, 500, TimeUnit.MILLISECONDS)
                        .join();
            }
            return answer.join();
        });
    }

    private static void beat() {
        try {
            Activity.getExecutionContext().heartbeat(null);
        } catch (ActivityCompletionException toldToStop) {
            // What is in hand is finished all the same.
        }
    }

    public void nextFailure(RuntimeException failure) {
        nextFailures(1, failure);
    }

    public void nextFailures(int times, RuntimeException failure) {
        for (int i = 0; i < times; i++) {
            prepared.add(() -> {
                throw failure;
            });
        }
    }

    public A take() {
        Supplier<? extends A> next = prepared.poll();
        return (next == null ? usual : next).get();
    }
}
