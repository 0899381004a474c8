package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The test controls of the local ECS. */
public record LocalEcsControl(Stack stack) {
    private static final int USUAL_HOSTS = 2;

    /** Drops or delivers the events of stopped tasks. */
    void dropEvents(boolean drop) throws IOException, InterruptedException {
        faults(drop, false);
    }

    /**
     * Sets the faults from now on.
     *
     * @param dropEvents drops the events of stopped tasks
     * @param ignoreStop ignores stops, as on an unreachable host
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

    /**
     * Adds running tasks of the workers' family without a process: {@code phantom00000000} and on.
     */
    void phantoms(int count) throws IOException, InterruptedException {
        put("phantoms", "{\"count\":" + count + ",\"family\":\"berth-worker\"}");
    }

    /** The calls of each operation since the start. */
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
