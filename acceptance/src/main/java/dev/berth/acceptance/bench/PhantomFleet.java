package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Users with a heartbeat key, a task and a lifecycle, but no process. One in a hundred has each
 * kind of drift; tasks without an owner are more, so that the drifts exceed the stop budget.
 */
final class PhantomFleet {
    private static final String ARN = "arn:aws:ecs:us-east-1:000000000000:task/berth/";
    private static final int ONE_IN = 100;
    /** With three other kinds of stops this makes 9 % of a fleet; the budget is 5 %. */
    private static final int UNOWNED = 6;

    private final LocalEcsControl ecs;
    private final RedisKeyspace redis;
    private final StubWorkflows standIns;
    private final int size;
    private final Map<String, String> keys = new LinkedHashMap<>();
    private final List<String> unowned = new ArrayList<>();
    private int tasks;

    PhantomFleet(Stack stack, StubWorkflows standIns, int size) {
        this.ecs = new LocalEcsControl(stack);
        this.redis = RedisKeyspace.of(stack);
        this.standIns = standIns;
        this.size = size;
    }

    /** The number of planted drifts of each kind. */
    Map<String, Integer> planted() {
        int each = size / ONE_IN;
        Map<String, Integer> planted = new LinkedHashMap<>();
        planted.put("HEARTBEAT_WITHOUT_TASK", each);
        planted.put("TASK_WITHOUT_HEARTBEAT", each);
        planted.put("FROZEN_WORKER", each);
        planted.put("DUPLICATE_TASK", each);
        planted.put("ORDER_WITHOUT_WORKER", each);
        planted.put("MISSING_LIFECYCLE", each);
        planted.put("UNOWNED_TASK", UNOWNED * each);
        return planted;
    }

    void plant() throws IOException, InterruptedException, ExecutionException {
        for (int number = 0; number < size; number++) {
            plant("phantom-%s-%s".formatted(size, number), number % ONE_IN);
        }
        standIns.await();
        ecs.phantoms(tasks);
        redis.set(keys);
    }

    private void plant(String user, int kind) throws IOException {
        switch (kind) {
            case 0 -> {
                String gone = "gone-" + user;
                addHeartbeatKey(user, gone);
                // The sweep asks its lifecycle after it removed the key.
                standIns.active(user, gone, ARN);
            }
            case 1 -> {
                claimedTask(user);
                standIns.terminated(user);
            }
            case 2 -> standIns.active(user, claimedTask(user), ARN);
            case 3 -> {
                String first = task();
                addHeartbeatKey(user, first);
                claimedTask(user);
                standIns.active(user, first, ARN);
            }
            case 4 -> standIns.order(user);
            case 5 -> {
                String task = task();
                addHeartbeatKey(user, task);
                redis.set("worker:metadata:" + user, Map.of("task_arn", ARN + task, "epoch", "1"));
            }
            default -> {
                addHeartbeatKey(user, task());
                standIns.listed(user);
                if (kind > ONE_IN - 1 - UNOWNED) {
                    unowned.add(task());
                }
            }
        }
    }

    private String task() {
        return String.format(Locale.ROOT, "phantom%08d", tasks++);
    }

    private void addHeartbeatKey(String user, String task) {
        keys.put("worker:active:" + user, task);
    }

    /** A task of the user without a heartbeat key. */
    private String claimedTask(String user) {
        String task = task();
        keys.put("task:" + task, user);
        return task;
    }

    void remove() throws IOException, InterruptedException {
        ecs.phantoms(0);
        redis.delete(keys.keySet().toArray(String[]::new));
        redis.delete("maintenance:suspects");
        standIns.terminateAll();
    }
}
