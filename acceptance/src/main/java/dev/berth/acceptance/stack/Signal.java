package dev.berth.acceptance.stack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A signal, named as in {@code kill}. */
public enum Signal {
    KILL,
    TERM,
    /** What the kernel sends to a process that crashes. */
    SEGV,
    /** The signal of Ctrl-C. */
    INT,
    /** Stops the process, as on a host that hangs. */
    STOP,
    /** Continues a stopped process. */
    CONT;

    /**
     * Sends the signal to all processes.
     *
     * @param processes process ids; a negative id names a group
     * @throws IOException when one of them is gone
     * @throws IllegalArgumentException for process 1, and for 0, which is none
     */
    public void send(List<Long> processes) throws IOException, InterruptedException {
        // A container sees itself as 1, which is another process on its host.
        if (processes.contains(1L)) {
            throw new IllegalArgumentException("process 1 is no worker");
        }
        // To kill(1) it is the caller's own group.
        if (processes.contains(0L)) {
            throw new IllegalArgumentException("the process is not known");
        }
        List<String> command = new ArrayList<>(List.of("kill", "-" + name(), "--"));
        processes.forEach(pid -> command.add(Long.toString(pid)));
        int code = new ProcessBuilder(command).start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }
}
