package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What admission was told, oldest first. */
final class FakeAvailabilityNotices implements AvailabilityNotices {
    final List<WorkerAvailability> published = new CopyOnWriteArrayList<>();

    @Override
    public void publish(UserId userId, WorkerAvailability availability) {
        published.add(availability);
    }
}
