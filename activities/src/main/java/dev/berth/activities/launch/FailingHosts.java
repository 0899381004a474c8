package dev.berth.activities.launch;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts on which launches fail. The third failure on a host drains it, so that one bad host does
 * not hold the launches of all others. Its workers are handed over to other hosts. The replicas
 * count together, in Redis: each hears of some stops.
 */
public final class FailingHosts {
    static final int FAILURES = 3;

    /**
     * Within it one host is drained for a version: when launches fail on another one too, the
     * version is at fault.
     */
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(FailingHosts.class);

    /** A host that was drained is gone, or was looked at, by then. */
    private static final Duration DRAINED = Duration.ofDays(1);

    /** The window begins with the first failure. */
    private static final String COUNT = """
            local count = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
            if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
            return count
            """;

    private final WorkerHosts hosts;
    private final RedisCommands<String, String> redis;

    public FailingHosts(WorkerHosts hosts, RedisCommands<String, String> redis) {
        this.hosts = hosts;
        this.redis = redis;
    }

    /**
     * Counts a failed launch.
     *
     * @param host ARN of the container instance; empty when the task had none
     * @return whether the failure counts against the version of the task definition, too
     */
    boolean countsAgainstVersion(String version, String host) {
        if (host.isEmpty()) {
            return true;
        }
        if (redis.exists(RedisKeys.drainedHost(host)) > 0) {
            return false;
        }
        Long failures = redis.eval(
                COUNT,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.hostFailures(version)},
                host,
                Long.toString(WINDOW.toMillis()));
        return failures < FAILURES || !isFirstOf(version, host) || !drain(version, host);
    }

    /** Whether no other host was drained for the version within the window. */
    private boolean isFirstOf(String version, String host) {
        SetArgs withinWindow = SetArgs.Builder.nx().px(WINDOW);
        return redis.set(RedisKeys.drainedFor(version), host, withinWindow) != null;
    }

    /** False when it is the only host, or ECS does not answer. */
    private boolean drain(String version, String host) {
        try {
            if (hosts.active().stream().allMatch(host::equals)) {
                redis.del(RedisKeys.drainedFor(version));
                return false;
            }
            hosts.drain(host);
        } catch (LauncherException unavailable) {
            LOG.warn("host {} cannot be drained now: {}", host, unavailable.getMessage());
            redis.del(RedisKeys.drainedFor(version));
            return false;
        }
        redis.psetex(RedisKeys.drainedHost(host), DRAINED.toMillis(), version);
        LOG.error(
                "host {} is set to DRAINING: {} launches of {} failed there. Its workers are handed over to other hosts."
                        + " Look at it, then terminate it, or set it to ACTIVE",
                host,
                FAILURES,
                version);
        return true;
    }
}
