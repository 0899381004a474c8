package dev.berth.local.ecs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The container instances. Their ids depend on their number only, so adopted tasks are on the same ones again. */
final class Hosts {
    private final int cpuUnits;
    private final int memoryMebibytes;
    private List<Host> hosts = List.of();

    Hosts(LocalEcsOptions options) {
        cpuUnits = options.hostCpuUnits();
        memoryMebibytes = options.hostMemoryMebibytes();
        resize(options.hosts(), List.of());
    }

    synchronized List<Host> all() {
        return hosts;
    }

    List<Host> active() {
        return all().stream().filter(host -> !host.draining()).toList();
    }

    Optional<Host> find(String arnOrId) {
        String id = Arn.shortId(arnOrId);
        return all().stream().filter(host -> host.id().equals(id)).findFirst();
    }

    synchronized void drain(String hostId, boolean draining) {
        hosts = hosts.stream()
                .map(host -> host.id().equals(hostId) ? host.withDraining(draining) : host)
                .toList();
    }

    /** Keeps the fullest hosts; one that goes but still has tasks stays as draining. */
    synchronized void resize(int count, List<Task> live) {
        List<Host> candidates = new ArrayList<>(hosts);
        candidates.sort(Comparator.comparingInt((Host host) -> -host.room(live).tasks())
                .thenComparing(host -> hosts.indexOf(host)));
        for (int number = 0; candidates.size() < count; number++) {
            if (find(id(number)).isEmpty()) {
                candidates.add(new Host(id(number), cpuUnits, memoryMebibytes, false));
            }
        }
        List<Host> resized = new ArrayList<>();
        for (Host host : candidates) {
            boolean kept = resized.size() < count;
            if (kept || host.room(live).tasks() > 0) {
                resized.add(host.withDraining(!kept));
            }
        }
        hosts = List.copyOf(resized);
    }

    private static String id(int number) {
        byte[] seed = ("host-" + number).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(seed).toString().replace("-", "");
    }
}
