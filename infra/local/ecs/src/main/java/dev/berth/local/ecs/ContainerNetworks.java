package dev.berth.local.ecs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network namespaces of containers, from which the resource {@code container-network.sh} lets
 * them reach the given ports and the metadata alone. A namespace takes some 50 ms to make, so a few
 * are made ahead.
 */
final class ContainerNetworks {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerNetworks.class);
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final int SPARE = 2;
    private static final int FIRST = 2;
    private static final int LAST = 254;

    private final int ecsPort;
    private final String ports;
    private final BlockingQueue<Integer> spare = new LinkedBlockingQueue<>();
    private final Set<Integer> existing = new TreeSet<>();
    /** One change at a time, so that none follows the last. */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile boolean closed;

    /**
     * Creates the bridge, and removes namespaces of an earlier run that no task has.
     *
     * @param metadataPort on 127.0.0.1
     * @param egress ports on 127.0.0.1
     * @param used namespaces of live tasks
     */
    ContainerNetworks(int ecsPort, int metadataPort, Set<Integer> egress, Set<Path> used) throws IOException {
        this.ecsPort = ecsPort;
        this.ports = egress.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
        script("up", Integer.toString(metadataPort), ports);
        for (int number : existingNumbers()) {
            if (used.contains(path(number))) {
                existing.add(number);
            } else {
                script("remove", Integer.toString(number));
            }
        }
        refill();
    }

    /** A namespace that no other task has. */
    Path take() throws IOException {
        Integer ready = spare.poll();
        int number = ready == null ? make() : ready;
        Thread.startVirtualThread(this::refill);
        return path(number);
    }

    /** Idempotent. */
    void remove(Path namespace) {
        String name = namespace.getFileName().toString();
        int number = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
        try {
            script("remove", Integer.toString(number));
        } catch (IOException e) {
            LOG.warn("Could not remove {}", namespace, e);
        }
        synchronized (existing) {
            existing.remove(number);
        }
    }

    void close() {
        try {
            closed = true;
            script("down");
        } catch (IOException e) {
            LOG.warn("Could not remove the network of containers", e);
        }
    }

    private void refill() {
        try {
            while (spare.size() < SPARE && !closed) {
                spare.add(make());
            }
        } catch (IOException e) {
            LOG.debug("No namespace ahead", e);
        }
    }

    private int make() throws IOException {
        int number = FIRST;
        synchronized (existing) {
            while (existing.contains(number)) {
                number++;
            }
            if (number > LAST) {
                throw new IOException("no more than " + (LAST - FIRST + 1) + " containers have a network");
            }
            existing.add(number);
        }
        script("add", Integer.toString(number), ports);
        return number;
    }

    private Path path(int number) {
        return NAMESPACES.resolve("berth-" + ecsPort + "-" + number);
    }

    private List<Integer> existingNumbers() {
        String prefix = "berth-" + ecsPort + "-";
        if (!Files.isDirectory(NAMESPACES)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(NAMESPACES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> Integer.valueOf(name.substring(prefix.length())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void script(String action, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-s", "--", action, Integer.toString(ecsPort)));
        command.addAll(List.of(arguments));
        changing.lock();
        try (InputStream script = Optional.ofNullable(
                        ContainerNetworks.class.getResourceAsStream("container-network.sh"))
                .orElseThrow()) {
            if (closed && action.equals("add")) {
                throw new IOException("local ECS ends");
            }
            HostCommand.run(command, script);
        } finally {
            changing.unlock();
        }
    }
}
