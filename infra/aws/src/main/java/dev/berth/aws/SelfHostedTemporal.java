package dev.berth.aws;

import dev.berth.aws.NetworkStack.Zone;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awscdk.CfnParameter;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ecs.AwsLogDriverProps;
import software.amazon.awscdk.services.ecs.CapacityProviderStrategy;
import software.amazon.awscdk.services.ecs.ContainerDefinitionOptions;
import software.amazon.awscdk.services.ecs.DeploymentCircuitBreaker;
import software.amazon.awscdk.services.ecs.Ec2Service;
import software.amazon.awscdk.services.ecs.Ec2TaskDefinition;
import software.amazon.awscdk.services.ecs.LogDriver;
import software.amazon.awscdk.services.ecs.NetworkMode;
import software.amazon.awscdk.services.ecs.PlacementStrategy;
import software.amazon.awscdk.services.ecs.PortMapping;
import software.amazon.awscdk.services.elasticloadbalancingv2.AddNetworkTargetsProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.AlpnPolicy;
import software.amazon.awscdk.services.elasticloadbalancingv2.BaseNetworkListenerProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.ListenerCertificate;
import software.amazon.awscdk.services.elasticloadbalancingv2.NetworkLoadBalancer;
import software.amazon.awscdk.services.elasticloadbalancingv2.Protocol;
import software.amazon.awscdk.services.elasticloadbalancingv2.SslPolicy;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.route53.ARecord;
import software.amazon.awscdk.services.route53.PrivateHostedZone;
import software.amazon.awscdk.services.route53.RecordTarget;
import software.amazon.awscdk.services.route53.targets.LoadBalancerTarget;

/**
 * Temporal's server in the cluster, on PostgreSQL, all its roles in each task. TLS ends at its load
 * balancer; the members speak in clear in a group of their own.
 */
final class SelfHostedTemporal {
    /** Never changes afterwards; a usual number for a cluster in production. */
    private static final int SHARDS = 512;

    private static final int CPU_UNITS = 1_024;
    private static final int MEBIBYTES = 3_072;
    private static final int SCRATCH_MEBIBYTES = 16;
    private static final String DYNAMIC_CONFIG = "/tmp/dynamic-config.yaml";

    private SelfHostedTemporal() {}

    static TemporalEndpoint in(
            ServicesStack stack, Sizes sizes, NetworkStack network, DataStack data, ClusterStack cluster) {
        CfnParameter name = CfnParameter.Builder.create(stack, "TemporalName")
                .type("String")
                .description("name of Temporal inside the network, as in its certificate")
                .allowedPattern("[a-z0-9.-]+")
                .build();
        CfnParameter certificate = CfnParameter.Builder.create(stack, "TemporalCertificateArn")
                .type("String")
                .description("certificate of that name, in ACM")
                .allowedPattern("arn:aws[a-z-]*:acm:.+:certificate/.+")
                .build();
        Ec2Service service = service(stack, sizes, network, data, cluster);
        NetworkLoadBalancer balancer = NetworkLoadBalancer.Builder.create(stack, "TemporalBalancer")
                .vpc(network.vpc())
                .internetFacing(false)
                .securityGroups(List.of(network.groupFor(stack, Zone.TEMPORAL_BALANCER)))
                .vpcSubnets(SubnetSelection.builder()
                        .subnetType(SubnetType.PRIVATE_WITH_EGRESS)
                        .build())
                .crossZoneEnabled(true)
                .deletionProtection(true)
                .build();
        balancer.addListener(
                        "Frontend",
                        BaseNetworkListenerProps.builder()
                                .port(443)
                                .protocol(Protocol.TLS)
                                .alpnPolicy(AlpnPolicy.HTTP2_ONLY)
                                .sslPolicy(SslPolicy.TLS13_RES)
                                .certificates(List.of(ListenerCertificate.fromArn(certificate.getValueAsString())))
                                .build())
                .addTargets(
                        "Temporal",
                        AddNetworkTargetsProps.builder()
                                .port(Names.TEMPORAL_PORT)
                                .protocol(Protocol.TCP)
                                .targets(List.of(service))
                                .deregistrationDelay(Duration.seconds(60))
                                .build());
        PrivateHostedZone zone = PrivateHostedZone.Builder.create(stack, "TemporalZone")
                .zoneName(name.getValueAsString())
                .vpc(network.vpc())
                .build();
        ARecord.Builder.create(stack, "TemporalRecord")
                .zone(zone)
                .target(RecordTarget.fromAlias(new LoadBalancerTarget(balancer)))
                .build();
        return new TemporalEndpoint(name.getValueAsString() + ":443", false);
    }

    private static Ec2Service service(
            ServicesStack stack, Sizes sizes, NetworkStack network, DataStack data, ClusterStack cluster) {
        LogGroup logs = LogGroup.Builder.create(stack, "TemporalLogs")
                .logGroupName("/" + sizes.text(Size.NAME) + "/temporal")
                .encryptionKey(stack.logKey())
                .retention(LogKey.retention(sizes))
                .build();
        Ec2TaskDefinition definition = Ec2TaskDefinition.Builder.create(stack, "TemporalTask")
                .family(sizes.text(Size.NAME) + "-temporal")
                .networkMode(NetworkMode.AWS_VPC)
                .executionRole(Permissions.TEMPORAL_START.role(stack, data).withoutPolicyUpdates())
                .build();
        definition.addContainer(
                "temporal",
                ContainerDefinitionOptions.builder()
                        .image(Images.published(stack, sizes, Size.TEMPORAL_IMAGE))
                        .cpu(CPU_UNITS)
                        .memoryReservationMiB(MEBIBYTES / 2)
                        .memoryLimitMiB(MEBIBYTES)
                        .stopTimeout(Duration.seconds(60))
                        .portMappings(List.of(PortMapping.builder()
                                .containerPort(Names.TEMPORAL_PORT)
                                .build()))
                        .entryPoint(List.of("/bin/sh", "-c"))
                        .command(List.of("printf '%s' \"$DYNAMIC_CONFIG\" > " + DYNAMIC_CONFIG
                                + " && exec /etc/temporal/entrypoint.sh"))
                        .environment(environment(data))
                        .secrets(Map.of("POSTGRES_PWD", data.secretFor(stack, SecretName.POSTGRES_TEMPORAL)))
                        .readonlyRootFilesystem(true)
                        .dockerSecurityOptions(List.of("no-new-privileges"))
                        .linuxParameters(WorkerContainer.confined(stack, "TemporalConfinement", SCRATCH_MEBIBYTES))
                        .logging(LogDriver.awsLogs(AwsLogDriverProps.builder()
                                .logGroup(logs)
                                .streamPrefix("temporal")
                                .build()))
                        .build());
        return Ec2Service.Builder.create(stack, "Temporal")
                .serviceName(sizes.text(Size.NAME) + "-temporal")
                .cluster(cluster.cluster())
                .taskDefinition(definition)
                .capacityProviderStrategies(List.of(CapacityProviderStrategy.builder()
                        .capacityProvider(cluster.services().getCapacityProviderName())
                        .weight(1)
                        .build()))
                .placementStrategies(List.of(PlacementStrategy.spreadAcross("attribute:ecs.availability-zone")))
                .vpcSubnets(SubnetSelection.builder()
                        .subnetType(SubnetType.PRIVATE_WITH_EGRESS)
                        .build())
                .securityGroups(List.of(network.groupFor(stack, Zone.TEMPORAL)))
                .desiredCount(sizes.number(Size.TEMPORAL_TASKS))
                .minHealthyPercent(100)
                .maxHealthyPercent(200)
                .circuitBreaker(DeploymentCircuitBreaker.builder()
                        .enable(true)
                        .rollback(true)
                        .build())
                .build();
    }

    private static Map<String, String> environment(DataStack data) {
        Map<String, String> environment = new TreeMap<>(SetupTasks.temporalDatabase(data));
        environment.put("SERVICES", "frontend,history,matching,worker");
        environment.put("NUM_HISTORY_SHARDS", Integer.toString(SHARDS));
        environment.put("SQL_TLS_ENABLED", "true");
        environment.put("DYNAMIC_CONFIG", dynamicConfig());
        environment.put("DYNAMIC_CONFIG_FILE_PATH", DYNAMIC_CONFIG);
        environment.put("LOG_LEVEL", "warn");
        return environment;
    }

    /** As the local stack's server has it. */
    static String dynamicConfig() {
        Properties settings = new Properties();
        try (InputStream file = Objects.requireNonNull(
                SelfHostedTemporal.class.getResourceAsStream("/temporal/dynamic-config.properties"))) {
            settings.load(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return settings.stringPropertyNames().stream()
                .sorted()
                .map(key -> key + ":\n- value: " + settings.getProperty(key) + "\n")
                .collect(Collectors.joining());
    }
}
