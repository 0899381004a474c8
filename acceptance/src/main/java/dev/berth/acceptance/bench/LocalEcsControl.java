package dev.berth.acceptance.bench;

import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** What can be done to the local ECS, and to no other. */
public record LocalEcsControl(Stack stack) {
    private static final int USUAL_HOSTS = 2;

    /** Whether anybody hears that a task stopped. */
    void dropEvents(boolean drop) throws IOException, InterruptedException {
        faults(drop, false);
    }

    /**
     * What of it does not work, from now on.
     *
     * @param dropEvents nobody hears that a task stopped
     * @param ignoreStop a task that shall stop goes on, as on a host that can not be reached
     */
    public void faults(boolean dropEvents, boolean ignoreStop) throws IOException, InterruptedException {
        put("faults", "{\"dropEvents\":" + dropEvents + ",\"ignoreStop\":" + ignoreStop + "}");
    }

    void hosts(int number) throws IOException, InterruptedException {
        put("capacity", "{\"hosts\":" + number + "}");
    }

    void usualHosts() throws IOException, InterruptedException {
        hosts(USUAL_HOSTS);
    }

    /** So many running tasks of the workers' family without a process: {@code phantom00000000} and on. */
    void phantoms(int count) throws IOException, InterruptedException {
        put("phantoms", "{\"count\":" + count + ",\"family\":\"berth-worker\"}");
    }

    /** How often each operation was called since it was started. */
    Map<String, Integer> calls() throws IOException, InterruptedException {
        Map<String, Integer> calls = new TreeMap<>();
        stack.ecs()
                .call("GET", "/_control/calls", null)
                .body()
                .properties()
                .forEach(call -> calls.put(call.getKey(), call.getValue().asInt()));
        return calls;
    }

    private void put(String what, String body) throws IOException, InterruptedException {
        int status = stack.ecs().call("PUT", "/_control/" + what, body).status();
        if (status != 200) {
            throw new IOException("local ECS answered " + status + " to " + what + " " + body);
        }
    }
}
