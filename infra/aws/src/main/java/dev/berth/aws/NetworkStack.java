package dev.berth.aws;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.ec2.FlowLogDestination;
import software.amazon.awscdk.services.ec2.FlowLogOptions;
import software.amazon.awscdk.services.ec2.FlowLogTrafficType;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointAwsService;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointOptions;
import software.amazon.awscdk.services.ec2.ISecurityGroup;
import software.amazon.awscdk.services.ec2.IpAddresses;
import software.amazon.awscdk.services.ec2.Peer;
import software.amazon.awscdk.services.ec2.Port;
import software.amazon.awscdk.services.ec2.SecurityGroup;
import software.amazon.awscdk.services.ec2.SecurityGroupImportOptions;
import software.amazon.awscdk.services.ec2.SubnetConfiguration;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ec2.Vpc;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * Two zones, and who may call whom. A worker's host reaches the gateway, HTTPS and name servers,
 * and is reached by none.
 */
final class NetworkStack extends Stack {
    private static final int ZONES = 2;
    private static final int HTTPS = 443;

    private final Vpc vpc;
    private final Map<Zone, SecurityGroup> groups;

    /** Groups of network interfaces with the same rules. */
    enum Zone {
        LOAD_BALANCER("from the internet to the API"),
        API("tasks of the API"),
        ORCHESTRATOR("tasks of the orchestrator"),
        GATEWAY_BALANCER("from workers to the gateway"),
        GATEWAY("tasks of the worker gateway"),
        SERVICE_HOSTS("hosts of API, orchestrator and gateway"),
        WORKER_HOSTS("hosts of workers, and so the workers"),
        TEMPORAL_BALANCER("from tasks to a self-hosted Temporal"),
        TEMPORAL("tasks of a self-hosted Temporal"),
        SETUP("tasks that run once"),
        DATABASE("PostgreSQL"),
        CACHE("Valkey");

        private final String purpose;

        Zone(String purpose) {
            this.purpose = purpose;
        }
    }

    NetworkStack(Construct scope, String id, StackProps props, Sizes sizes) {
        super(scope, id, props);
        Key key = LogKey.in(this);
        LogGroup flows = LogGroup.Builder.create(this, "Flows")
                .encryptionKey(key)
                .retention(LogKey.retention(sizes))
                .build();
        this.vpc = Vpc.Builder.create(this, "Vpc")
                .ipAddresses(IpAddresses.cidr("10.0.0.0/16"))
                .maxAzs(ZONES)
                .natGateways(ZONES)
                // It would need a Lambda function. No interface here has the default group.
                .restrictDefaultSecurityGroup(false)
                .subnetConfiguration(List.of(
                        subnets("public", SubnetType.PUBLIC, 24),
                        subnets("private", SubnetType.PRIVATE_WITH_EGRESS, 20),
                        subnets("data", SubnetType.PRIVATE_ISOLATED, 24)))
                .flowLogs(Map.of(
                        "all",
                        FlowLogOptions.builder()
                                .destination(FlowLogDestination.toCloudWatchLogs(flows))
                                .trafficType(FlowLogTrafficType.REJECT)
                                .build()))
                // Layers of images come from there: no charge for the way through the NAT.
                .gatewayEndpoints(Map.of(
                        "s3",
                        GatewayVpcEndpointOptions.builder()
                                .service(GatewayVpcEndpointAwsService.S3)
                                .build()))
                .build();
        this.groups = new EnumMap<>(Zone.class);
        for (Zone zone : Zone.values()) {
            groups.put(zone, group(zone));
        }
        rules(sizes);
    }

    private void rules(Sizes sizes) {
        group(Zone.LOAD_BALANCER).addIngressRule(Peer.anyIpv4(), Port.tcp(443), "clients, by HTTPS");
        allow(Zone.LOAD_BALANCER, Zone.API, Names.API_PORT, "requests");
        allow(Zone.LOAD_BALANCER, Zone.API, Names.MANAGEMENT_PORT, "readiness");
        allow(Zone.WORKER_HOSTS, Zone.GATEWAY_BALANCER, Names.GATEWAY_PORT, "workers");
        allow(Zone.GATEWAY_BALANCER, Zone.GATEWAY, Names.GATEWAY_PORT, "workers");
        allow(Zone.GATEWAY_BALANCER, Zone.GATEWAY, Names.MANAGEMENT_PORT, "readiness");
        for (Zone role : List.of(Zone.API, Zone.ORCHESTRATOR)) {
            allow(role, Zone.DATABASE, Names.POSTGRES_PORT, "read model and settings");
        }
        allow(Zone.GATEWAY, Zone.DATABASE, Names.POSTGRES_PORT, "journals of FIX sessions");
        allow(Zone.SETUP, Zone.DATABASE, Names.POSTGRES_PORT, "roles and tables, once");
        for (Zone role : List.of(Zone.API, Zone.ORCHESTRATOR, Zone.GATEWAY)) {
            allow(role, Zone.CACHE, Names.REDIS_PORT, "heartbeats, admission and news");
        }
        if (sizes.isTemporalSelfHosted()) {
            for (Zone role : List.of(Zone.API, Zone.ORCHESTRATOR, Zone.GATEWAY)) {
                allow(role, Zone.TEMPORAL_BALANCER, 443, "workflows");
            }
            allow(Zone.TEMPORAL_BALANCER, Zone.TEMPORAL, Names.TEMPORAL_PORT, "workflows");
            allow(Zone.TEMPORAL, Zone.DATABASE, Names.POSTGRES_PORT, "histories");
            group(Zone.TEMPORAL).addIngressRule(group(Zone.TEMPORAL), Port.tcpRange(6933, 7239), "members");
            group(Zone.TEMPORAL).addEgressRule(group(Zone.TEMPORAL), Port.tcpRange(6933, 7239), "members");
        }
        for (Zone outward : List.of(
                Zone.API,
                Zone.ORCHESTRATOR,
                Zone.GATEWAY,
                Zone.SERVICE_HOSTS,
                Zone.WORKER_HOSTS,
                Zone.TEMPORAL,
                Zone.SETUP)) {
            group(outward).addEgressRule(Peer.anyIpv4(), Port.tcp(HTTPS), "AWS, brokers, identity provider");
        }
        Stream.of(Size.FIX_PAPER_ADDRESS, Size.FIX_LIVE_ADDRESS, Size.FIX_PAPER_ALLOWED, Size.FIX_LIVE_ALLOWED)
                .flatMap(addresses -> Stream.of(sizes.text(addresses).split(",", -1)))
                .filter(address -> !address.isEmpty())
                .map(address -> Integer.parseInt(address.substring(address.indexOf(':') + 1)))
                .distinct()
                .filter(port -> port != HTTPS)
                .forEach(port ->
                        group(Zone.WORKER_HOSTS).addEgressRule(Peer.anyIpv4(), Port.tcp(port), "FIX counterparties"));
        // Temporal Cloud.
        for (Zone role : List.of(Zone.API, Zone.ORCHESTRATOR, Zone.GATEWAY)) {
            group(role).addEgressRule(Peer.anyIpv4(), Port.tcp(Names.TEMPORAL_PORT), "Temporal Cloud");
        }
    }

    private static SubnetConfiguration subnets(String name, SubnetType type, int mask) {
        return SubnetConfiguration.builder()
                .name(name)
                .subnetType(type)
                .cidrMask(mask)
                .mapPublicIpOnLaunch(type == SubnetType.PUBLIC ? Boolean.FALSE : null)
                .build();
    }

    private SecurityGroup group(Zone zone) {
        SecurityGroup known = groups.get(zone);
        if (known != null) {
            return known;
        }
        return SecurityGroup.Builder.create(this, Templates.camel(zone.name()))
                .vpc(vpc)
                .description(zone.purpose)
                .allowAllOutbound(false)
                .build();
    }

    private void allow(Zone from, Zone to, int port, String why) {
        group(to).addIngressRule(group(from), Port.tcp(port), why);
        group(from).addEgressRule(group(to), Port.tcp(port), why);
    }

    Vpc vpc() {
        return vpc;
    }

    /** As another stack sees it: no other stack adds rules. */
    ISecurityGroup groupFor(Construct scope, Zone zone) {
        String id = Templates.camel(zone.name()) + "Group";
        ISecurityGroup known = (ISecurityGroup) scope.getNode().tryFindChild(id);
        return known != null
                ? known
                : SecurityGroup.fromSecurityGroupId(
                        scope,
                        id,
                        group(zone).getSecurityGroupId(),
                        SecurityGroupImportOptions.builder().mutable(false).build());
    }
}
