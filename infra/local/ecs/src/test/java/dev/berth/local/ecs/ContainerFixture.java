package dev.berth.local.ecs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.local.ecs.LocalEcsOptions.ContainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.MountPoint;
import software.amazon.awssdk.services.ecs.model.Volume;

/** An image made of this machine's programs, so that the usual scripts run in containers. */
record ContainerFixture(Path folder, int ecsPort, Set<Integer> egress) {
    private static final int UID = 10_001;

    /** Skips the test where containers cannot run. */
    static ContainerFixture in(Path folder, int ecsPort, Set<Integer> egress) throws IOException {
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        boolean hasRunc = Stream.of("/usr/sbin/runc", "/usr/bin/runc").anyMatch(it -> Files.isExecutable(Path.of(it)));
        assumeTrue(isRoot && hasRunc, "skipped: containers need root and runc (apt-get install runc)");
        Path root = folder.resolve("images/shell/rootfs");
        for (String name : List.of("usr", "tmp", "proc", "dev", "sys", "etc")) {
            Files.createDirectories(root.resolve(name));
        }
        // runc gives the mode to what it mounts there.
        Files.setPosixFilePermissions(root.resolve("tmp"), PosixFilePermissions.fromString("rwxrwxrwx"));
        for (String name : List.of("bin", "lib", "lib64", "sbin")) {
            Files.createSymbolicLink(root.resolve(name), Path.of("usr", name));
        }
        Files.writeString(folder.resolve("images/shell/image.json"), """
                {"OCIv1":{"config":{"User":"%s:%s","WorkingDir":"/tmp","Env":["PATH=/usr/bin:/usr/sbin"],
                "Entrypoint":["/bin/bash","-c"]}}}""".formatted(UID, UID));
        return new ContainerFixture(folder, ecsPort, egress);
    }

    EcsFixture start() {
        return new EcsFixture(folder, this::options);
    }

    LocalEcsOptions options(LocalEcsOptions usual) {
        return usual.withPort(ecsPort).withContainers(new ContainerOptions(folder.resolve("images"), egress));
    }

    /** Registers a script: 32 MiB soft, 128 MiB hard, one second from SIGTERM to SIGKILL. */
    void define(EcsFixture ecs, String family, String script) {
        define(ecs.client, family, script);
    }

    void define(EcsClient client, String family, String script) {
        client.registerTaskDefinition(register -> register.family(family)
                .networkMode("bridge")
                .volumes(Volume.builder()
                        .name("usr")
                        .host(host -> host.sourcePath("/usr"))
                        .build())
                .containerDefinitions(ContainerDefinition.builder()
                        .name("main")
                        .image("shell")
                        .command(script)
                        .cpu(64)
                        .memoryReservation(32)
                        .memory(128)
                        .stopTimeout(1)
                        .mountPoints(MountPoint.builder()
                                .sourceVolume("usr")
                                .containerPath("/usr")
                                .readOnly(true)
                                .build())
                        .build()));
    }

    /** Runs a script until its container exists. */
    String run(EcsClient client, String family, String script) {
        define(client, family, script);
        String task = client.runTask(run -> run.cluster(EcsFixture.CLUSTER).taskDefinition(family))
                .tasks()
                .getFirst()
                .taskArn();
        EcsFixture.awaitStatus(client, task, "RUNNING");
        return task;
    }

    /** The script's output, after its end. */
    String output(EcsFixture ecs, String script) {
        define(ecs, "script", script + "\necho END");
        return ecs.awaitLog(ecs.run("script"), "END");
    }
}
