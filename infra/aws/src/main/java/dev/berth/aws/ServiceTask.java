package dev.berth.aws;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.deployment.RedisLogin;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Fn;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ecs.AwsLogDriverProps;
import software.amazon.awscdk.services.ecs.CapacityProviderStrategy;
import software.amazon.awscdk.services.ecs.ContainerDefinitionOptions;
import software.amazon.awscdk.services.ecs.DeploymentCircuitBreaker;
import software.amazon.awscdk.services.ecs.Ec2Service;
import software.amazon.awscdk.services.ecs.Ec2TaskDefinition;
import software.amazon.awscdk.services.ecs.LinuxParameters;
import software.amazon.awscdk.services.ecs.LogDriver;
import software.amazon.awscdk.services.ecs.NetworkMode;
import software.amazon.awscdk.services.ecs.PlacementStrategy;
import software.amazon.awscdk.services.ecs.PortMapping;
import software.amazon.awscdk.services.ecs.Secret;
import software.amazon.awscdk.services.ecs.Tmpfs;
import software.amazon.awscdk.services.ecs.TmpfsMountOption;
import software.amazon.awscdk.services.ecs.UlimitName;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.logs.LogGroup;

/** Task definition and service of a role: two tasks on a host. */
final class ServiceTask {
    static final int CPU_UNITS = 1_024;
    static final int SOFT_MEBIBYTES = 1_536;
    static final int HARD_MEBIBYTES = 3_072;
    /** The heap's share of the memory; the rest is for threads, buffers and the JVM. */
    private static final String HEAP = "-XX:MaxRAMPercentage=60";

    private static final int SCRATCH_MEBIBYTES = 128;
    /** Keys live in memory, and end with the task. */
    private static final String KEYS = "/run/berth";

    private static final int OPEN_FILES = 65_536;
    /** The longest that a host waits between SIGTERM and SIGKILL. */
    private static final Duration STOP = Duration.seconds(120);

    private final ServicesStack stack;
    private final Sizes sizes;
    private final NetworkStack network;
    private final DataStack data;
    private final ClusterStack cluster;
    private final TemporalEndpoint temporal;
    private final Map<String, String> tokens;
    private final Key logKey;

    ServiceTask(
            ServicesStack stack,
            Sizes sizes,
            NetworkStack network,
            DataStack data,
            ClusterStack cluster,
            TemporalEndpoint temporal,
            Map<String, String> tokens) {
        this.stack = stack;
        this.sizes = sizes;
        this.network = network;
        this.data = data;
        this.cluster = cluster;
        this.temporal = temporal;
        this.tokens = tokens;
        this.logKey = stack.logKey();
    }

    Ec2Service service(ServiceRole role) {
        return Ec2Service.Builder.create(stack, Templates.camel(role.key()))
                .serviceName(sizes.text(Size.NAME) + "-" + role.key())
                .cluster(cluster.cluster())
                .taskDefinition(definition(role))
                .capacityProviderStrategies(List.of(CapacityProviderStrategy.builder()
                        .capacityProvider(cluster.services().getCapacityProviderName())
                        .weight(1)
                        .build()))
                .placementStrategies(List.of(
                        PlacementStrategy.spreadAcross("attribute:ecs.availability-zone"),
                        PlacementStrategy.packedByMemory()))
                .vpcSubnets(SubnetSelection.builder()
                        .subnetType(SubnetType.PRIVATE_WITH_EGRESS)
                        .build())
                .securityGroups(List.of(network.groupFor(stack, role.zone())))
                .desiredCount(sizes.number(role.least()))
                .minHealthyPercent(100)
                .maxHealthyPercent(200)
                .circuitBreaker(DeploymentCircuitBreaker.builder()
                        .enable(true)
                        .rollback(true)
                        .build())
                .enableEcsManagedTags(true)
                .build();
    }

    private Ec2TaskDefinition definition(ServiceRole role) {
        Ec2TaskDefinition definition = Ec2TaskDefinition.Builder.create(stack, Templates.camel(role.key()) + "Task")
                .family(sizes.text(Size.NAME) + "-" + role.key())
                .networkMode(NetworkMode.AWS_VPC)
                .taskRole(role.task().role(stack, data).withoutPolicyUpdates())
                .executionRole(role.start().role(stack, data).withoutPolicyUpdates())
                .build();
        LogGroup logs = LogGroup.Builder.create(stack, Templates.camel(role.key()) + "Logs")
                .logGroupName("/" + sizes.text(Size.NAME) + "/" + role.key())
                .encryptionKey(logKey)
                .retention(LogKey.retention(sizes))
                .build();
        definition.addContainer(
                role.key(),
                ContainerDefinitionOptions.builder()
                        .image(Images.of(sizes, Size.API_IMAGE, data.imagesFor(stack, "api")))
                        .essential(true)
                        .cpu(CPU_UNITS)
                        .memoryReservationMiB(SOFT_MEBIBYTES)
                        .memoryLimitMiB(HARD_MEBIBYTES)
                        .stopTimeout(STOP)
                        .portMappings(ports(role))
                        .environment(environment(role))
                        .secrets(secrets(role))
                        .user(Images.USER)
                        .readonlyRootFilesystem(true)
                        .dockerSecurityOptions(List.of("no-new-privileges"))
                        .linuxParameters(confined(role))
                        .ulimits(List.of(
                                WorkerContainer.limit(UlimitName.CORE, 0),
                                WorkerContainer.limit(UlimitName.NOFILE, OPEN_FILES)))
                        .logging(LogDriver.awsLogs(AwsLogDriverProps.builder()
                                .logGroup(logs)
                                .streamPrefix(role.key())
                                .build()))
                        .build());
        return definition;
    }

    private LinuxParameters confined(ServiceRole role) {
        LinuxParameters parameters =
                WorkerContainer.confined(stack, Templates.camel(role.key()) + "Confinement", SCRATCH_MEBIBYTES);
        parameters.addTmpfs(Tmpfs.builder()
                .containerPath(KEYS)
                .size(1)
                .mountOptions(List.of(
                        TmpfsMountOption.RW, TmpfsMountOption.NOEXEC, TmpfsMountOption.NOSUID, TmpfsMountOption.NODEV))
                .build());
        return parameters;
    }

    private static List<PortMapping> ports(ServiceRole role) {
        PortMapping http = PortMapping.builder().containerPort(Names.API_PORT).build();
        return role == ServiceRole.GATEWAY
                ? List.of(
                        PortMapping.builder().containerPort(Names.GATEWAY_PORT).build(), http)
                : List.of(http);
    }

    /** The names are those of {@code docs/settings.md}. */
    private Map<String, String> environment(ServiceRole role) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("BERTH_ROLES", role.key());
        environment.put("JAVA_TOOL_OPTIONS", HEAP);
        environment.put("SERVER_PORT", Integer.toString(Names.API_PORT));
        environment.put("AWS_REGION", stack.getRegion());
        environment.put("SPRING_TEMPORAL_CONNECTION_TARGET", temporal.target());
        environment.put("SPRING_TEMPORAL_NAMESPACE", sizes.text(Size.TEMPORAL_NAMESPACE));
        if (!temporal.isCloud()) {
            environment.put("SPRING_TEMPORAL_CONNECTION_ENABLE_HTTPS", "true");
        }
        environment.put("BERTH_REDIS_URI", redis(role));
        environment.put("BERTH_CODEC_KEY_FILE", KEYS + "/codec.key");
        environment.put("BERTH_SQS_POOL_CLAIM", sizes.own(Names.SQS.poolClaim()));
        environment.put("BERTH_POSTGRES_AUTHORITY_FILE", KEYS + "/rds.pem");
        environment.put("SPRING_DATASOURCE_URL", postgres());
        environment.put("SPRING_DATASOURCE_USERNAME", role == ServiceRole.GATEWAY ? "berth_gateway" : "berth_api");
        if (role == ServiceRole.GATEWAY) {
            environment.put("BERTH_GATEWAY_NAMES", Endpoints.gateway(sizes));
            environment.put("BERTH_GATEWAY_PORT", Integer.toString(Names.GATEWAY_PORT));
            environment.put("BERTH_GATEWAY_KEY_FILE", KEYS + "/gateway.key");
            environment.put("BERTH_GATEWAY_CA_CERTIFICATE_FILE", KEYS + "/ca.crt");
            environment.put("BERTH_GATEWAY_CA_KEY_FILE", KEYS + "/ca.key");
            return environment;
        }
        environment.putAll(tokens);
        environment.put("BERTH_ECS_CLUSTER", sizes.text(Size.NAME));
        environment.put("BERTH_ECS_TASK_DEFINITION", data.workerFamily(UserGroup.DEFAULT));
        environment.put("BERTH_ECS_CAPACITY_PROVIDER", ClusterStack.workerProvider(sizes, UserGroup.DEFAULT));
        sizes.userGroups().stream().filter(group -> !group.isDefault()).forEach(group -> {
            String prefix = "BERTH_GROUPS_" + group.name().toUpperCase(Locale.ROOT);
            environment.put(prefix + "_TASK_DEFINITION", data.workerFamily(group));
            environment.put(prefix + "_CAPACITY_PROVIDER", ClusterStack.workerProvider(sizes, group));
        });
        environment.put("BERTH_SQS_TASK_EVENTS", sizes.own(Names.SQS.taskEvents()));
        environment.put("BERTH_POOL_TARGET", sizes.text(Size.POOL_TARGET));
        environment.put("BERTH_POOL_CALENDAR_EXCHANGES", sizes.text(Size.POOL_EXCHANGES));
        environment.put("BERTH_POOL_CALENDAR_CEILING", sizes.text(Size.POOL_CEILING));
        environment.put("BERTH_ACCOUNTS_KMS_KEY", data.credentialsKey().getKeyArn());
        environment.put(
                "BERTH_ORDERS_LIVE",
                Boolean.toString(!sizes.text(Size.ALPACA_LIVE_URL).isEmpty()
                        || !sizes.text(Size.FIX_LIVE_ADDRESS).isEmpty()
                        || !sizes.text(Size.FIX_LIVE_ALLOWED).isEmpty()));
        boolean migrates = role == ServiceRole.ORCHESTRATOR;
        environment.put("SPRING_FLYWAY_ENABLED", Boolean.toString(migrates));
        if (migrates) {
            environment.put("SPRING_FLYWAY_USER", "berth_owner");
            environment.put("BERTH_GATEWAY_ENROLMENT_KEY_FILE", KEYS + "/enrolment.key");
        }
        return environment;
    }

    /** Spring fills in the password: no template holds it. */
    private String redis(ServiceRole role) {
        String user = role == ServiceRole.GATEWAY ? RedisLogin.GATEWAY.user() : RedisLogin.API.user();
        return Fn.sub(
                "rediss://" + user + ":${!REDIS_PASSWORD}@${Host}:" + Names.REDIS_PORT,
                Map.of("Host", data.cache().host()));
    }

    private String postgres() {
        return "jdbc:postgresql://" + data.database().getDbInstanceEndpointAddress() + ":" + Names.POSTGRES_PORT + "/"
                + Names.DATABASE + "?sslmode=verify-full&sslrootcert=" + KEYS + "/rds.pem";
    }

    private Map<String, Secret> secrets(ServiceRole role) {
        Map<String, Secret> secrets = new TreeMap<>();
        if (temporal.isCloud()) {
            secrets.put("SPRING_TEMPORAL_CONNECTION_API_KEY", secret(SecretName.TEMPORAL_API_KEY));
        }
        secrets.put("BERTH_CODEC_KEY_FILE_BASE64", secret(SecretName.CODEC_KEY));
        secrets.put("BERTH_POSTGRES_AUTHORITY_FILE_BASE64", secret(SecretName.DATABASE_AUTHORITY));
        if (role == ServiceRole.GATEWAY) {
            secrets.put("REDIS_PASSWORD", secret(SecretName.REDIS_GATEWAY));
            secrets.put("SPRING_DATASOURCE_PASSWORD", secret(SecretName.POSTGRES_GATEWAY));
            secrets.put("BERTH_GATEWAY_KEY_FILE_BASE64", secret(SecretName.GATEWAY_KEY));
            secrets.put("BERTH_GATEWAY_CA_CERTIFICATE_FILE_BASE64", secret(SecretName.GATEWAY_AUTHORITY));
            secrets.put("BERTH_GATEWAY_CA_KEY_FILE_BASE64", secret(SecretName.GATEWAY_AUTHORITY_KEY));
            return secrets;
        }
        secrets.put("REDIS_PASSWORD", secret(SecretName.REDIS_API));
        secrets.put("SPRING_DATASOURCE_PASSWORD", secret(SecretName.POSTGRES_API));
        if (role == ServiceRole.ORCHESTRATOR) {
            secrets.put("SPRING_FLYWAY_PASSWORD", secret(SecretName.POSTGRES_OWNER));
            secrets.put("BERTH_GATEWAY_ENROLMENT_KEY_FILE_BASE64", secret(SecretName.ENROLMENT_KEY));
        }
        return secrets;
    }

    private Secret secret(SecretName name) {
        return data.secretFor(stack, name);
    }
}
