package dev.berth.acceptance.chaos;

import dev.berth.acceptance.stack.LocalProcess;
import java.io.IOException;

/** Kills or freezes a server for a while. */
final class ServerFault {
    private ServerFault() {}

    /** Its clients are refused. */
    static int kill(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        site.stack().process(fault.kind().target()).kill();
        Thread.sleep(fault.lasts());
        site.restart(fault.kind().target());
        return 1;
    }

    /** Its clients wait. */
    static int freeze(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
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
