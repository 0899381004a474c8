package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.Container;
import software.amazon.awssdk.services.ecs.model.Task;

/** What a task in a container cannot do; runs where root and runc are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainerIsolationTest {
    private Path folder;
    private ServerSocket allowed;
    private ServerSocket forbidden;
    private ContainerFixture containers;
    private EcsFixture ecs;
    private int ecsPort;

    @BeforeAll
    void start(@TempDir Path empty) throws IOException {
        folder = empty;
        allowed = listen();
        forbidden = listen();
        try (ServerSocket free = listen()) {
            ecsPort = free.getLocalPort();
        }
        containers = ContainerFixture.in(folder, ecsPort, Set.of(allowed.getLocalPort()));
        ecs = containers.start();
    }

    @AfterAll
    void stop() throws IOException {
        if (ecs != null) {
            ecs.close();
            assertThat(namespaces()).isEmpty();
            assertThat(folder.resolve("state/bundles")).isEmptyDirectory();
        }
        allowed.close();
        forbidden.close();
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A container has a user of its own, no capability, no new privileges and a system call filter")
    void runsWithoutPrivileges() {
        String status = containers.output(ecs, "cat /proc/self/status; ulimit -c; chroot / true; swapoff -a");
        assertThat(status)
                .containsPattern("Uid:\\s+10001\\s+10001")
                .containsPattern("CapPrm:\\s+0000000000000000")
                .containsPattern("CapEff:\\s+0000000000000000")
                .containsPattern("CapBnd:\\s+0000000000000000")
                .containsPattern("NoNewPrivs:\\s+1")
                .containsPattern("Seccomp:\\s+2")
                .contains("chroot: cannot change root directory");
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A container writes to /tmp alone, and sees no other file system and no other process")
    void seesOnlyItself() throws Exception {
        containers.define(ecs, "neighbour", "echo pid.; sleep 600");
        String neighbour = ecs.run("neighbour");
        ecs.awaitLog(neighbour, ".");
        String pid = Files.readString(folder.resolve("state/pids/" + Arn.shortId(neighbour) + ".pid"));
        String seen = containers.output(ecs, """
                echo x >/file; echo x >/usr/file; echo x >/proc/sys/kernel/core_pattern; echo x >/tmp/file && echo wrote
                echo processes /proc/[0-9]*/; kill -9 %s; cat /proc/%s/environ; ls /root %s; echo root /*
                mount -t tmpfs none /tmp; head -c 1 /proc/kcore | wc -c; ls /sys/firmware | wc -l""".formatted(pid, pid, folder));
        assertThat(seen)
                .contains("/file: Read-only file system", "/usr/file: Read-only file system", "wrote")
                .contains("core_pattern: Read-only file system")
                .containsPattern("processes /proc/1/( /proc/\\d\\d?/)?\n")
                .contains("kill: (" + pid + ") - No such process")
                .contains("/proc/" + pid + "/environ: No such file or directory")
                .contains("cannot access '/root'", "cannot access '" + folder)
                .contains("root /bin /dev /etc /lib /lib64 /proc /sbin /sys /tmp /usr\n")
                .containsPattern("mount: .*(permission denied|must be superuser)");
        assertThat(ecs.task(neighbour).lastStatus()).isEqualTo("RUNNING");
        ecs.stop(neighbour);
        ecs.awaitStatus(neighbour, "STOPPED");
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A container reaches the named ports and its metadata, no other server and no instance metadata")
    void reachesNamedPortsOnly() {
        String gateway = "10.%s.%s.1".formatted(ecsPort >> 8, ecsPort & 255);
        String seen = containers.output(ecs, """
                try() { timeout 2 bash -c "exec 3<>/dev/tcp/$2/$3" 2>/dev/null && echo "$1 open" || echo "$1 refused"; }
                try named 127.0.0.1 %s; try other 127.0.0.1 %s; try around %s %s; try ecs %s %s; try ecs 127.0.0.1 %s
                try instance 169.254.169.254 80; try internet 192.0.2.1 443
                exec 3<>/dev/tcp/169.254.170.2/80
                printf "GET ${ECS_CONTAINER_METADATA_URI_V4#*170.2}/task HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3
                exec 3<>/dev/tcp/169.254.170.2/80
                printf 'POST / HTTP/1.0\\r\\nX-Amz-Target: AmazonEC2ContainerServiceV20141113.ListTasks\\r\\n\\r\\n' >&3; cat <&3""".formatted(
                        allowed.getLocalPort(),
                        forbidden.getLocalPort(),
                        gateway,
                        forbidden.getLocalPort(),
                        gateway,
                        ecsPort,
                        ecsPort));
        assertThat(seen)
                .contains("named open", "other refused", "around refused", "instance refused", "internet refused")
                .doesNotContain("ecs open", "taskArns")
                .contains("\"TaskARN\":\"arn:aws:ecs:", "\"dev.berth.pid\":\"");
    }

    @Test
    @Tag("A11")
    @DisplayName("A container over its memory limit is killed alone with 137, and ECS says why")
    void overItsMemoryLimitIsKilledAlone() {
        containers.define(ecs, "neighbour", "sleep 600");
        containers.define(ecs, "glutton", "x=x; while :; do x=$x$x; done");
        String neighbour = ecs.run("neighbour");
        Task killed = ecs.awaitStatus(ecs.run("glutton"), "STOPPED");
        Container container = killed.containers().getFirst();
        assertThat(container.exitCode()).isEqualTo(137);
        assertThat(container.reason()).isEqualTo("OutOfMemoryError: Container killed due to memory usage");
        assertThat(ecs.task(neighbour).lastStatus()).isEqualTo("RUNNING");
        ecs.stop(neighbour);
        ecs.awaitStatus(neighbour, "STOPPED");
    }

    @Test
    @Tag("A11")
    @DisplayName("A fork bomb in a container ends at its limit of processes")
    void forkBombIsLimited() {
        String seen = containers.output(ecs, """
                perl -e 'my $n = 0; while ($n < 700 && defined(my $child = fork)) { if (!$child) { sleep 60; exit } $n++ }
                print "$n children, then: $!\\n"; kill KILL => -1'""");
        assertThat(seen).containsPattern("5\\d\\d children, then: Resource temporarily unavailable");
    }

    @Test
    void exitCodeAndStop() {
        containers.define(ecs, "exits", "exit 7");
        assertThat(ecs.awaitStatus(ecs.run("exits"), "STOPPED")
                        .containers()
                        .getFirst()
                        .exitCode())
                .isEqualTo(7);
        containers.define(ecs, "stops", "trap 'exit 3' TERM; echo ready.; while :; do sleep 0.05; done");
        String stops = ecs.run("stops");
        ecs.awaitLog(stops, "ready.");
        ecs.stop(stops);
        assertThat(ecs.awaitStatus(stops, "STOPPED").containers().getFirst().exitCode())
                .isEqualTo(3);
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    private List<String> namespaces() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/run/netns"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("berth-" + ecsPort + "-"))
                    .toList();
        }
    }
}
