package dev.berth.aws;

import dev.berth.aws.NetworkStack.Zone;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awscdk.CfnParameter;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.ec2.ISecurityGroup;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ecs.Ec2Service;
import software.amazon.awscdk.services.elasticloadbalancingv2.AddApplicationTargetsProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.AddNetworkTargetsProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationLoadBalancer;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationProtocol;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationTargetGroup;
import software.amazon.awscdk.services.elasticloadbalancingv2.BaseApplicationListenerProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.BaseNetworkListenerProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.HealthCheck;
import software.amazon.awscdk.services.elasticloadbalancingv2.ListenerCertificate;
import software.amazon.awscdk.services.elasticloadbalancingv2.NetworkLoadBalancer;
import software.amazon.awscdk.services.elasticloadbalancingv2.NetworkTargetGroup;
import software.amazon.awscdk.services.elasticloadbalancingv2.Protocol;
import software.amazon.awscdk.services.elasticloadbalancingv2.SslPolicy;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.route53.ARecord;
import software.amazon.awscdk.services.route53.PrivateHostedZone;
import software.amazon.awscdk.services.route53.RecordTarget;
import software.amazon.awscdk.services.route53.targets.LoadBalancerTarget;
import software.constructs.Construct;

/** API, orchestrator and gateway, and the ways to them. */
final class ServicesStack extends Stack {
    private static final Duration DRAIN = Duration.seconds(300);

    private static final String READINESS = "/actuator/health/readiness";

    private final Key logKey;
    private final ApplicationLoadBalancer balancer;
    private final ApplicationTargetGroup apiTargets;
    private final NetworkTargetGroup gatewayTargets;
    private final Map<ServiceRole, Ec2Service> services;

    ServicesStack(
            Construct scope,
            String id,
            StackProps props,
            Sizes sizes,
            NetworkStack network,
            DataStack data,
            ClusterStack cluster) {
        super(scope, id, props);
        this.logKey = LogKey.in(this);
        PrivateHostedZone zone = PrivateHostedZone.Builder.create(this, "Zone")
                .zoneName(Endpoints.zone(sizes))
                .vpc(network.vpc())
                .build();
        TemporalEndpoint temporal = sizes.isTemporalSelfHosted()
                ? SelfHostedTemporal.in(this, sizes, network, data, cluster)
                : TemporalEndpoint.cloud(parameter(
                        "TemporalTarget",
                        "Temporal Cloud: host:port, such as eu-west-1.aws.api.temporal.io:7233",
                        "[^:]+:[0-9]+"));
        ServiceTask tasks = new ServiceTask(this, sizes, network, data, cluster, temporal, TokenSettings.in(this));
        this.services = new EnumMap<>(ServiceRole.class);
        for (ServiceRole role : ServiceRole.values()) {
            services.put(role, tasks.service(role));
        }
        // It runs the migrations; the API must not meet older tables.
        service(ServiceRole.API).getNode().addDependency(service(ServiceRole.ORCHESTRATOR));
        this.balancer = apiBalancer(network);
        this.apiTargets = addApiTargets();
        this.gatewayTargets = gateway(network, zone);
        SetupTasks.in(this, sizes, data);
        for (ServiceRole role : ServiceRole.values()) {
            Scaling.of(service(role), role, sizes, role == ServiceRole.API ? apiTargets : null);
        }
    }

    /** What differs between two accounts, and has no default. */
    private CfnParameter parameter(String id, String description, String format) {
        return CfnParameter.Builder.create(this, id)
                .type("String")
                .description(description)
                .allowedPattern(format)
                .build();
    }

    private ApplicationLoadBalancer apiBalancer(NetworkStack network) {
        ISecurityGroup group = network.groupFor(this, Zone.LOAD_BALANCER);
        return ApplicationLoadBalancer.Builder.create(this, "Balancer")
                .vpc(network.vpc())
                .internetFacing(true)
                .securityGroup(group)
                .vpcSubnets(
                        SubnetSelection.builder().subnetType(SubnetType.PUBLIC).build())
                .dropInvalidHeaderFields(true)
                .deletionProtection(true)
                // Longer than an order may wait for its answer, and than an event stream is silent.
                .idleTimeout(Duration.seconds(120))
                .build();
    }

    private ApplicationTargetGroup addApiTargets() {
        CfnParameter certificate = parameter(
                "ApiCertificateArn", "certificate of the API's name, in ACM", "arn:aws[a-z-]*:acm:.+:certificate/.+");
        var listener = balancer.addListener(
                "Https",
                BaseApplicationListenerProps.builder()
                        .port(443)
                        .protocol(ApplicationProtocol.HTTPS)
                        .sslPolicy(SslPolicy.TLS13_RES)
                        .certificates(List.of(ListenerCertificate.fromArn(certificate.getValueAsString())))
                        .open(false)
                        .build());
        return listener.addTargets(
                "Api",
                AddApplicationTargetsProps.builder()
                        .port(Names.API_PORT)
                        .protocol(ApplicationProtocol.HTTP)
                        .targets(List.of(service(ServiceRole.API)))
                        .deregistrationDelay(DRAIN)
                        .healthCheck(readiness())
                        .build());
    }

    /** TLS ends in the gateway, which knows its callers by their certificates. */
    private NetworkTargetGroup gateway(NetworkStack network, PrivateHostedZone zone) {
        NetworkLoadBalancer way = NetworkLoadBalancer.Builder.create(this, "GatewayBalancer")
                .vpc(network.vpc())
                .internetFacing(false)
                .securityGroups(List.of(network.groupFor(this, Zone.GATEWAY_BALANCER)))
                .vpcSubnets(SubnetSelection.builder()
                        .subnetType(SubnetType.PRIVATE_WITH_EGRESS)
                        .build())
                .crossZoneEnabled(true)
                .deletionProtection(true)
                .build();
        ARecord.Builder.create(this, "GatewayName")
                .zone(zone)
                .recordName("gateway")
                .target(RecordTarget.fromAlias(new LoadBalancerTarget(way)))
                .build();
        return way.addListener(
                        "Workers",
                        BaseNetworkListenerProps.builder()
                                .port(Names.GATEWAY_PORT)
                                .protocol(Protocol.TCP)
                                .build())
                .addTargets(
                        "Gateway",
                        AddNetworkTargetsProps.builder()
                                .port(Names.GATEWAY_PORT)
                                .protocol(Protocol.TCP)
                                .targets(List.of(service(ServiceRole.GATEWAY)))
                                .preserveClientIp(false)
                                .deregistrationDelay(DRAIN)
                                .healthCheck(readiness())
                                .build());
    }

    private static HealthCheck readiness() {
        return HealthCheck.builder()
                .protocol(Protocol.HTTP)
                .port(Integer.toString(Names.MANAGEMENT_PORT))
                .path(READINESS)
                .interval(Duration.seconds(10))
                .healthyThresholdCount(2)
                .unhealthyThresholdCount(3)
                .build();
    }

    Key logKey() {
        return logKey;
    }

    Ec2Service service(ServiceRole role) {
        return Objects.requireNonNull(services.get(role));
    }

    ApplicationLoadBalancer balancer() {
        return balancer;
    }

    ApplicationTargetGroup apiTargets() {
        return apiTargets;
    }

    NetworkTargetGroup gatewayTargets() {
        return gatewayTargets;
    }
}
