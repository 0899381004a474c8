package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.Task;

class ContainerAdoptionTest {
    private static final String READ_METADATA = """
            while :; do exec 3<>/dev/tcp/169.254.170.2/80
            printf "GET ${ECS_CONTAINER_METADATA_URI_V4#*170.2}/task HTTP/1.0\\r\\n\\r\\n" >&3
            grep -q TaskARN <&3 && echo read; sleep 0.1; done""";

    @TempDir
    private Path folder;

    @Test
    void restartAdoptsLiveContainersAndRemovesDeadOnes() throws Exception {
        ContainerFixture containers = ContainerFixture.in(folder, freePort(), Set.of(1));
        String living;
        String dead;
        LocalEcsProcess first = LocalEcsProcess.start(containers);
        try (EcsClient client = EcsFixture.clientFor(containers.ecsPort())) {
            living = containers.run(client, "living", READ_METADATA);
            dead = containers.run(client, "dead", "sleep 600");
        }
        first.kill();
        ProcessHandle.of(pid(dead)).ifPresent(ProcessHandle::destroyForcibly);
        Awaitility.await().until(() -> !EcsFixture.lives(pid(dead)));
        try (EcsFixture again = containers.start()) {
            Task ended = again.task(dead);
            assertThat(ended.lastStatus()).isEqualTo("STOPPED");
            assertThat(folder.resolve("state/bundles").resolve(Arn.shortId(dead)))
                    .doesNotExist();
            assertThat(again.task(living).lastStatus()).isEqualTo("RUNNING");
            Path log = folder.resolve("log/task-" + Arn.shortId(living) + ".log");
            long before = Files.size(log);
            Awaitility.await().alias("its network works").until(() -> Files.size(log) > before);
            again.stop(living);
            again.awaitStatus(living, "STOPPED");
            assertThat(folder.resolve("state/runc")).isEmptyDirectory();
        }
    }

    private long pid(String task) throws IOException {
        return Long.parseLong(Files.readString(folder.resolve("state/pids/" + Arn.shortId(task) + ".pid")));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
