package dev.berth.acceptance.bench;

import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * So many users with a mark, a task and a lifecycle, and without a process; one in a hundred has drifted in each of the
 * ways that the sweep knows. Tasks of nobody are more, so that together more should be stopped than may be.
 */
final class PhantomFleet {
    private static final String ARN = "arn:aws:ecs:us-east-1:000000000000:task/berth/";
    private static final int ONE_IN = 100;
    /** With three kinds that may be stopped beside them it makes 9 % of a fleet; 5 % may be stopped. */
    private static final int UNOWNED = 6;

    private final LocalEcsControl ecs;
    private final RedisKeyspace redis;
    private final StandIns standIns;
    private final int size;
    private final Map<String, String> keys = new LinkedHashMap<>();
    private final List<String> unowned = new ArrayList<>();
    private int tasks;

    PhantomFleet(Stack stack, StandIns standIns, int size) {
        this.ecs = new LocalEcsControl(stack);
        this.redis = RedisKeyspace.of(stack);
        this.standIns = standIns;
        this.size = size;
    }

    /** How many of each kind are there to be found. */
    Map<String, Integer> planted() {
        int each = size / ONE_IN;
        Map<String, Integer> planted = new LinkedHashMap<>();
        planted.put("MARK_WITHOUT_TASK", each);
        planted.put("TASK_WITHOUT_MARK", each);
        planted.put("FROZEN_WORKER", each);
        planted.put("DUPLICATE_TASK", each);
        planted.put("ORDER_WITHOUT_WORKER", each);
        planted.put("MISSING_LIFECYCLE", each);
        planted.put("UNOWNED_TASK", UNOWNED * each);
        return planted;
    }

    void plant() throws IOException, InterruptedException, ExecutionException {
        for (int number = 0; number < size; number++) {
            plant("phantom-%d-%d".formatted(size, number), number % ONE_IN);
        }
        standIns.await();
        ecs.phantoms(tasks);
        redis.set(keys);
    }

    private void plant(String user, int kind) throws IOException {
        switch (kind) {
            case 0 -> {
                String gone = "gone-" + user;
                mark(user, gone);
                // Once its mark is removed it is asked.
                standIns.active(user, gone, ARN);
            }
            case 1 -> {
                claimed(user);
                standIns.terminated(user);
            }
            case 2 -> standIns.active(user, claimed(user), ARN);
            case 3 -> {
                String first = task();
                mark(user, first);
                claimed(user);
                standIns.active(user, first, ARN);
            }
            case 4 -> standIns.order(user);
            case 5 -> {
                String task = task();
                mark(user, task);
                redis.set("worker:metadata:" + user, Map.of("task_arn", ARN + task, "epoch", "1"));
            }
            default -> {
                mark(user, task());
                standIns.listed(user);
                if (kind > ONE_IN - 1 - UNOWNED) {
                    unowned.add(task());
                }
            }
        }
    }

    private String task() {
        return "phantom%08d".formatted(tasks++);
    }

    private void mark(String user, String task) {
        keys.put("worker:active:" + user, task);
    }

    /** A task of this user whom no mark names. */
    private String claimed(String user) {
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
