package dev.berth.activities.launch;

import java.util.Collection;
import java.util.List;

/**
 * The hosts of workers' tasks. Every method throws {@link LauncherException} when the hosts' owner
 * is unreachable or refuses the call.
 */
public interface WorkerHosts {
    /** ARNs of the hosts that take new tasks. */
    List<String> active();

    /** Without the hosts that are unknown or gone. */
    List<Host> describe(Collection<String> hosts);

    /** Gives the host no new tasks; those it has run on. A host that drains already stays so. */
    void drain(String host);

    /** Ids of the workers' tasks on hosts that drain. */
    List<String> tasksOnDraining();

    /** How many more workers of this target the active hosts can hold. */
    long room(LaunchTarget target);
}
