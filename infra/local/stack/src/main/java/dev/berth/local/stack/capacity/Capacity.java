package dev.berth.local.stack.capacity;

import dev.berth.workflows.deployment.WorkerSize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code ./berth capacity}: prints how many tasks fit on a host, and the limiting resource. */
public final class Capacity {
    static final String USAGE = "Usage: ./berth capacity --host-cpu UNITS --host-memory MIB"
            + " [--task-cpu 64] [--task-memory 384] [--task-memory-hard 1024] [--per-host 30]";

    private static final String HOST_CPU = "--host-cpu";
    private static final String HOST_MEMORY = "--host-memory";
    /** The size of a worker; options without a default are required. */
    private static final Map<String, Integer> DEFAULTS = Map.of(
            "--task-cpu", WorkerSize.CPU_UNITS,
            "--task-memory", WorkerSize.SOFT_MEBIBYTES,
            "--task-memory-hard", WorkerSize.HARD_MEBIBYTES,
            "--per-host", WorkerSize.PER_HOST);

    private static final List<String> NEEDED = List.of(HOST_CPU, HOST_MEMORY);

    private Capacity() {}

    /** Exits with 2 on invalid arguments. */
    static void main(String[] arguments) {
        try {
            of(arguments).lines().forEach(IO::println);
        } catch (IllegalArgumentException wrong) {
            System.err.println("berth: " + wrong.getMessage());
            System.err.println("       " + USAGE);
            System.exit(2);
        }
    }

    /** @throws IllegalArgumentException with a message for the user */
    static HostCapacity of(String... arguments) {
        Map<String, Integer> values = new HashMap<>(DEFAULTS);
        for (int i = 0; i < arguments.length; i++) {
            String[] option = arguments[i].split("=", 2);
            if (!DEFAULTS.containsKey(option[0]) && !NEEDED.contains(option[0])) {
                throw new IllegalArgumentException("there is no option '" + option[0] + "'.");
            }
            if (option.length == 1 && i + 1 == arguments.length) {
                throw new IllegalArgumentException(option[0] + " has no value.");
            }
            values.put(option[0], positive(option[0], option.length == 2 ? option[1] : arguments[++i]));
        }
        for (String needed : NEEDED) {
            if (!values.containsKey(needed)) {
                throw new IllegalArgumentException(needed + " is missing.");
            }
        }
        HostCapacity capacity = new HostCapacity(
                values.getOrDefault(HOST_CPU, 0),
                values.getOrDefault(HOST_MEMORY, 0),
                values.getOrDefault("--task-cpu", 0),
                values.getOrDefault("--task-memory", 0),
                values.getOrDefault("--task-memory-hard", 0),
                values.getOrDefault("--per-host", 0));
        if (capacity.taskMemory() > capacity.taskMemoryHard()) {
            throw new IllegalArgumentException("--task-memory must be at most --task-memory-hard.");
        }
        return capacity;
    }

    private static int positive(String option, String text) {
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException invalid) {
            // Same message as for zero.
        }
        throw new IllegalArgumentException(option + " must be a whole number above zero, not '" + text + "'.");
    }
}
