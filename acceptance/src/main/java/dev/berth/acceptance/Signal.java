package dev.berth.acceptance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a process can be told, whatever it is doing. The names are those of {@code kill}. */
public enum Signal {
    /** Ends it at once. */
    KILL,
    /** Asks it to end. */
    TERM,
    /** As Ctrl-C does. */
    INT,
    /** It stands still, as if it were on a host that hangs. */
    STOP,
    /** It goes on, and does not know that it stood still. */
    CONT;

    /**
     * Sends it to all of them.
     *
     * @param processes their ids; a negative one is a group
     * @throws IOException when one of them did not get it, mostly since it is gone
     */
    public void send(List<Long> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name(), "--"));
        processes.forEach(pid -> command.add(Long.toString(pid)));
        int code = new ProcessBuilder(command).start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }
}
