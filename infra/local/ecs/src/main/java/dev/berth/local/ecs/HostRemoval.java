package dev.berth.local.ecs;

import dev.berth.local.ecs.Task.StopCode;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Removes hosts. After a deregistration the processes run on, and ECS does not report them. A
 * termination kills the processes at once, and ECS notices later.
 */
final class HostRemoval {
    private static final String DEREGISTERED = "Container instance deregistration forced by user";

    private final Hosts hosts;
    private final TaskLedger ledger;
    private final Agent agent;
    /** Terminated hosts that ECS has not noticed yet. */
    private final Set<String> unnoticed = ConcurrentHashMap.newKeySet();

    HostRemoval(Hosts hosts, TaskLedger ledger, Agent agent) {
        this.hosts = hosts;
        this.ledger = ledger;
        this.agent = agent;
    }

    /**
     * Stops the tasks in the ledger only. ECS does not document the stop code; a user forced this.
     */
    LocalHost deregister(String hostId) {
        hosts.change(hostId, LocalHost::deregistered);
        agent.abandon(hostId);
        giveUp(hostId, StopCode.UserInitiated, DEREGISTERED);
        return hosts.find(hostId).orElseThrow();
    }

    /**
     * Kills the processes of the host, including those that survived its deregistration. ECS
     * reports the tasks as running until the delay ends; the host accepts no tasks. After a second
     * call the earlier end counts.
     */
    void terminate(LocalHost host, Duration noticedAfter) {
        hosts.change(host.id(), LocalHost::disconnected);
        agent.kill(host.id());
        if (host.isRegistered()) {
            unnoticed.add(host.id());
            Delay.run(noticedAfter, () -> notice(host.id()));
        }
    }

    /** A shutdown must not wait for tasks of terminated hosts. */
    void noticeAll() {
        unnoticed.forEach(this::notice);
    }

    private void notice(String hostId) {
        if (unnoticed.remove(hostId)) {
            hosts.change(hostId, LocalHost::deregistered);
            hosts.find(hostId)
                    .ifPresent(host -> giveUp(
                            hostId,
                            StopCode.TerminationNotice,
                            "Host EC2 (instance " + host.ec2InstanceId() + ") terminated."));
        }
    }

    private void giveUp(String hostId, StopCode code, String reason) {
        for (Task task : ledger.live()) {
            if (task.plan().hostId().equals(hostId)) {
                ledger.change(task.id(), it -> it.givenUp(code, reason, ledger.now()));
            }
        }
    }
}
