package dev.berth.workflows.pool;

import dev.berth.workflows.Answers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** ECS with room for so many pool workers, which are idle as soon as they are started. */
final class FakePoolTasks implements PoolTasks {
    /** One call of RunTask. */
    record Launch(int count, String clientToken) {}

    final List<Launch> launches = new CopyOnWriteArrayList<>();
    final AtomicInteger looks = new AtomicInteger();
    final AtomicInteger idle = new AtomicInteger();
    final Answers<Boolean> reachable = new Answers<>(true);
    final AtomicInteger room = new AtomicInteger(100);

    @Override
    public int count() {
        looks.incrementAndGet();
        reachable.take();
        return idle.get();
    }

    @Override
    public int run(int count, String clientToken) {
        int started = Math.min(count, room.get());
        idle.addAndGet(started);
        room.addAndGet(-started);
        launches.add(new Launch(count, clientToken));
        return started;
    }
}
