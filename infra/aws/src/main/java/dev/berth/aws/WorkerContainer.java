package dev.berth.aws;

import dev.berth.activities.ecs.RunTaskRequests;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.deployment.WorkerSize;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.ecs.AwsLogDriverProps;
import software.amazon.awscdk.services.ecs.Capability;
import software.amazon.awscdk.services.ecs.ContainerDefinitionOptions;
import software.amazon.awscdk.services.ecs.Ec2TaskDefinition;
import software.amazon.awscdk.services.ecs.LinuxParameters;
import software.amazon.awscdk.services.ecs.LogDriver;
import software.amazon.awscdk.services.ecs.NetworkMode;
import software.amazon.awscdk.services.ecs.Tmpfs;
import software.amazon.awscdk.services.ecs.TmpfsMountOption;
import software.amazon.awscdk.services.ecs.Ulimit;
import software.amazon.awscdk.services.ecs.UlimitName;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The task definitions of workers, one a group, where foreign code may run: they hold no secret but
 * the one that a launch gives them.
 */
final class WorkerContainer {
    private static final int SCRATCH_MEBIBYTES = 64;
    private static final int OPEN_FILES = 10_000;
    private static final int PROCESSES = 1_024;

    private WorkerContainer() {}

    static void in(ClusterStack stack, Sizes sizes, DataStack data) {
        LogGroup logs = LogGroup.Builder.create(stack, "WorkerLogs")
                .logGroupName("/" + sizes.text(Size.NAME) + "/worker")
                .encryptionKey(LogKey.in(stack))
                .retention(LogKey.retention(sizes))
                .build();
        Role role = Permissions.WORKER.role(stack, data);
        Role executionRole = Permissions.WORKER_START.role(stack, data);
        for (UserGroup group : sizes.userGroups()) {
            define(stack, sizes, data, group, logs, role, executionRole);
        }
    }

    private static void define(
            ClusterStack stack,
            Sizes sizes,
            DataStack data,
            UserGroup group,
            LogGroup logs,
            Role role,
            Role executionRole) {
        Ec2TaskDefinition definition = Ec2TaskDefinition.Builder.create(
                        stack, Templates.camel(Names.of(group, "worker-task")))
                .family(data.workerFamily(group))
                .networkMode(NetworkMode.BRIDGE)
                .taskRole(role.withoutPolicyUpdates())
                .executionRole(executionRole.withoutPolicyUpdates())
                .build();
        definition.addContainer(
                RunTaskRequests.CONTAINER,
                ContainerDefinitionOptions.builder()
                        .image(Images.of(sizes, Size.WORKER_IMAGE, data.imagesFor(stack, "worker")))
                        .essential(true)
                        .cpu(WorkerSize.CPU_UNITS)
                        .memoryReservationMiB(WorkerSize.SOFT_MEBIBYTES)
                        .memoryLimitMiB(WorkerSize.HARD_MEBIBYTES)
                        .stopTimeout(Duration.seconds(WorkerSize.STOP_SECONDS))
                        .environment(environment(sizes))
                        .secrets(Map.of("BERTH_GATEWAY_CA", data.secretFor(stack, SecretName.GATEWAY_AUTHORITY)))
                        .user(Images.USER)
                        .readonlyRootFilesystem(true)
                        .privileged(false)
                        .dockerSecurityOptions(List.of("no-new-privileges"))
                        .linuxParameters(confined(
                                stack, Templates.camel(Names.of(group, "worker-confinement")), SCRATCH_MEBIBYTES))
                        // A dump of the memory would hold the user's credentials.
                        .ulimits(List.of(
                                limit(UlimitName.CORE, 0),
                                limit(UlimitName.NOFILE, OPEN_FILES),
                                limit(UlimitName.NPROC, PROCESSES)))
                        .logging(LogDriver.awsLogs(AwsLogDriverProps.builder()
                                .logGroup(logs)
                                .streamPrefix("worker")
                                .build()))
                        .build());
    }

    private static Map<String, String> environment(Sizes sizes) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("BERTH_GATEWAY_TARGET", Endpoints.gateway(sizes) + ":" + Names.GATEWAY_PORT);
        environment.put("BERTH_TEMPORAL_NAMESPACE", sizes.text(Size.TEMPORAL_NAMESPACE));
        environment.put("BERTH_ALPACA_PAPER_URL", sizes.text(Size.ALPACA_PAPER_URL));
        putIfSet(environment, "BERTH_ALPACA_LIVE_URL", sizes.text(Size.ALPACA_LIVE_URL));
        putIfSet(environment, "BERTH_FIX_PAPER_ADDRESS", sizes.text(Size.FIX_PAPER_ADDRESS));
        putIfSet(environment, "BERTH_FIX_LIVE_ADDRESS", sizes.text(Size.FIX_LIVE_ADDRESS));
        putIfSet(environment, "BERTH_FIX_PAPER_ALLOWED", sizes.text(Size.FIX_PAPER_ALLOWED));
        putIfSet(environment, "BERTH_FIX_LIVE_ALLOWED", sizes.text(Size.FIX_LIVE_ALLOWED));
        environment.put("BERTH_FIX_TARGET_COMP_ID", sizes.text(Size.FIX_TARGET_COMP_ID));
        environment.put("BERTH_VERSION", sizes.text(Size.IMAGE_TAG));
        return environment;
    }

    private static void putIfSet(Map<String, String> environment, String name, String value) {
        if (!value.isEmpty()) {
            environment.put(name, value);
        }
    }

    /** No capability of the kernel, and a scratch folder in memory that ends with the task. */
    static LinuxParameters confined(Construct scope, String id, int scratchMebibytes) {
        LinuxParameters parameters = LinuxParameters.Builder.create(scope, id)
                .initProcessEnabled(false)
                .build();
        parameters.dropCapabilities(Capability.ALL);
        // Netty's native parts are loaded from there.
        parameters.addTmpfs(Tmpfs.builder()
                .containerPath("/tmp")
                .size(scratchMebibytes)
                .mountOptions(List.of(
                        TmpfsMountOption.RW, TmpfsMountOption.EXEC, TmpfsMountOption.NOSUID, TmpfsMountOption.NODEV))
                .build());
        return parameters;
    }

    static Ulimit limit(UlimitName name, int value) {
        return Ulimit.builder().name(name).softLimit(value).hardLimit(value).build();
    }
}
