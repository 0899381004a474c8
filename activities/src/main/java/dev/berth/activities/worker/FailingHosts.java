package dev.berth.activities.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;

/**
 * Hosts on which launches fail. The third failure on a host drains it, so that one bad host does
 * not hold the launches of all others. ECS leaves the workers of a draining host alone.
 */
public final class FailingHosts {
    static final int FAILURES = 3;

    /**
     * Within it one host is drained for a version: when launches fail on another one too, the
     * version is at fault.
     */
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(FailingHosts.class);

    /** Failures of a version on a host, from the first on. */
    private record Failures(Instant first, int count) {}

    private record Launches(String version, String host) {}

    private final EcsClient ecs;
    private final WorkerTaskRequests requests;
    private final InstantSource clock;
    private final Map<Launches, Failures> failures = new HashMap<>();
    private final Map<String, Instant> lastDrained = new HashMap<>();
    private final Set<String> drained = new HashSet<>();

    /** @param requests name the cluster, and whether it grows */
    public FailingHosts(EcsClient ecs, WorkerTaskRequests requests, InstantSource clock) {
        this.ecs = ecs;
        this.requests = requests;
        this.clock = clock;
    }

    /**
     * Counts a failed launch.
     *
     * @param host ARN of the container instance; empty when the task had none
     * @return whether the failure counts against the version of the task definition, too
     */
    synchronized boolean countsAgainstVersion(String version, String host) {
        if (host.isEmpty()) {
            return true;
        }
        if (drained.contains(host)) {
            return false;
        }
        Instant now = clock.instant();
        failures.values().removeIf(old -> !now.isBefore(old.first().plus(WINDOW)));
        lastDrained.values().removeIf(old -> !now.isBefore(old.plus(WINDOW)));
        Failures here = failures.merge(
                new Launches(version, host),
                new Failures(now, 1),
                (before, one) -> new Failures(before.first(), before.count() + one.count()));
        return here.count() < FAILURES || lastDrained.containsKey(version) || !drain(version, host);
    }

    /** False when it is the only host, or ECS does not answer. */
    private boolean drain(String version, String host) {
        try {
            boolean hasOthers = ecs
                    .listContainerInstances(
                            list -> list.cluster(requests.cluster()).status(ContainerInstanceStatus.ACTIVE))
                    .containerInstanceArns()
                    .stream()
                    .anyMatch(other -> !other.equals(host));
            if (!hasOthers) {
                return false;
            }
            ecs.updateContainerInstancesState(update -> update.cluster(requests.cluster())
                    .containerInstances(host)
                    .status(ContainerInstanceStatus.DRAINING));
        } catch (SdkException away) {
            LOG.warn("host {} cannot be drained now: {}", host, away.getMessage());
            return false;
        }
        drained.add(host);
        lastDrained.put(version, clock.instant());
        LOG.error(
                "host {} is set to DRAINING: {} launches of {} failed there. Its workers run on. Look at it, then terminate"
                        + " it, or set it to ACTIVE",
                host,
                FAILURES,
                version);
        return true;
    }
}
