package dev.berth.acceptance.chaos;

import dev.berth.acceptance.LocalProcess;
import java.io.IOException;

/** A server of the stack is away for a while. */
final class ServerFault {
    private ServerFault() {}

    /** Whoever talks to it is refused. */
    static int kill(Site site, Fault fault) throws IOException, InterruptedException {
        site.stack().process(fault.kind().target()).kill();
        Thread.sleep(fault.lasts());
        site.restart(fault.kind().target());
        return 1;
    }

    /** Whoever talks to it waits. */
    static int freeze(Site site, Fault fault) throws IOException, InterruptedException {
        LocalProcess server = site.stack().process(fault.kind().target());
        try {
            server.freeze();
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            server.thaw();
        }
    }
}
