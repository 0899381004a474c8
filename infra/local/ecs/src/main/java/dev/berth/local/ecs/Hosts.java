package dev.berth.local.ecs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * The container instances. Ids depend on the number of the host only, so adopted tasks keep their
 * host. A restart registers deregistered hosts again.
 */
final class Hosts {
    private final String cluster;
    private final int cpuUnits;
    private final int memoryMebibytes;
    private List<LocalHost> hosts = List.of();

    Hosts(LocalEcsOptions options) {
        cluster = options.cluster();
        cpuUnits = options.hostCpuUnits();
        memoryMebibytes = options.hostMemoryMebibytes();
        resize(options.hosts(), List.of());
    }

    /** Without deregistered hosts. */
    synchronized List<LocalHost> registered() {
        return hosts.stream().filter(LocalHost::isRegistered).toList();
    }

    List<LocalHost> active() {
        return registered().stream().filter(LocalHost::acceptsTasks).toList();
    }

    /** Including deregistered hosts. */
    synchronized Optional<LocalHost> find(String arnOrId) {
        String id = Arn.shortId(arnOrId);
        return hosts.stream().filter(host -> host.id().equals(id)).findFirst();
    }

    /** An unknown id changes nothing. */
    synchronized void change(String hostId, UnaryOperator<LocalHost> change) {
        hosts = hosts.stream()
                .map(host -> host.id().equals(hostId) ? change.apply(host) : host)
                .toList();
    }

    /**
     * Keeps the fullest hosts; a removed host drains while it has tasks. Registers new hosts in
     * place of lost or deregistered ones.
     */
    synchronized void resize(int count, List<Task> live) {
        List<LocalHost> candidates =
                new ArrayList<>(hosts.stream().filter(Hosts::isKept).toList());
        List<LocalHost> resized =
                new ArrayList<>(hosts.stream().filter(host -> !isKept(host)).toList());
        int gone = resized.size();
        candidates.sort(
                Comparator.comparingInt((LocalHost host) -> -host.room(live).tasks())
                        .thenComparing(host -> hosts.indexOf(host)));
        for (int number = 0; candidates.size() < count; number++) {
            if (find(id(number)).isEmpty()) {
                candidates.add(LocalHost.fresh(cluster, id(number), cpuUnits, memoryMebibytes));
            }
        }
        for (LocalHost host : candidates) {
            boolean kept = resized.size() - gone < count;
            if (kept || host.room(live).tasks() > 0) {
                resized.add(host.withDraining(!kept));
            }
        }
        hosts = List.copyOf(resized);
    }

    private static boolean isKept(LocalHost host) {
        return host.isRegistered() && host.agentConnected();
    }

    private static String id(int number) {
        byte[] seed = ("host-" + number).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(seed).toString().replace("-", "");
    }
}
