package dev.berth.gateway;

import dev.berth.workflows.BoundedMap;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The polls of one task that wait at Temporal, and the SDK workers that it has shut down. */
final class TaskPolls {
    /** A process has a worker for each of two queues, and had two in its warm-up. */
    private static final int REMEMBERED = 16;

    /**
     * One poll.
     *
     * @param workerKey the SDK's
     * @param request as it is at Temporal, with a key of its own
     */
    record ParkedPoll(String workerKey, PollActivityTaskQueueRequest request) {}

    private final Set<ParkedPoll> parked = new HashSet<>();
    /** The SDK polls again after it shut its key down. */
    private final Map<String, Boolean> shutDown = new BoundedMap<>(REMEMBERED);

    /** False when too many wait. */
    synchronized boolean park(ParkedPoll poll) {
        if (parked.size() >= GatewayLimits.PARKED_POLLS_PER_TASK) {
            return false;
        }
        return parked.add(poll);
    }

    /** False when it was removed before. */
    synchronized boolean remove(ParkedPoll poll) {
        return parked.remove(poll);
    }

    synchronized boolean isParked(ParkedPoll poll) {
        return parked.contains(poll);
    }

    synchronized boolean isShutDown(String workerKey) {
        return shutDown.containsKey(workerKey);
    }

    /** The polls of an SDK worker that wait, which polls no more. */
    synchronized List<ParkedPoll> shutDown(String workerKey) {
        shutDown.put(workerKey, true);
        return parked.stream()
                .filter(poll -> poll.workerKey().equals(workerKey))
                .toList();
    }

    synchronized List<ParkedPoll> all() {
        return List.copyOf(parked);
    }
}
