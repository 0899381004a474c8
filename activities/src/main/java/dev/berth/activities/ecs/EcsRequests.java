package dev.berth.activities.ecs;

import dev.berth.activities.launch.LauncherException;
import dev.berth.workflows.maintenance.Batches;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ecs.model.EcsException;

/** How ECS is called. */
final class EcsRequests {
    /** The limit of ECS for one call that lists or describes. */
    static final int PAGE = 100;
    /** ECS sustains 20 such calls a second; the SDK retries throttled calls. */
    private static final int PARALLEL_CALLS = 8;

    private EcsRequests() {}

    static <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException failed) {
            throw failure(failed);
        }
    }

    private static LauncherException failure(SdkException failed) {
        return new LauncherException(
                failed,
                failed instanceof EcsException refused
                        && refused.statusCode() < 500
                        && !refused.isThrottlingException());
    }

    /** One call for each hundred; any that fails fails the whole. */
    static <T> List<T> inBatches(Collection<String> all, Function<List<String>, List<T>> call) {
        List<Callable<List<T>>> calls = new ArrayList<>();
        for (List<String> some : Batches.of(List.copyOf(all), PAGE)) {
            calls.add(() -> call(() -> call.apply(some)));
        }
        List<T> results = new ArrayList<>();
        try (ExecutorService calling =
                Executors.newFixedThreadPool(PARALLEL_CALLS, Thread.ofVirtual().factory())) {
            for (Future<List<T>> one : calling.invokeAll(calls)) {
                results.addAll(one.get());
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof LauncherException cause) {
                throw cause;
            }
            throw new IllegalStateException("a call of ECS failed: " + failed.getCause(), failed.getCause());
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted by a shutdown", shutdown);
        }
        return results;
    }
}
