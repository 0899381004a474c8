package dev.berth.aws;

import dev.berth.aws.NetworkStack.Zone;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.deployment.WorkerSize;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.autoscaling.AutoScalingGroup;
import software.amazon.awscdk.services.autoscaling.GroupMetrics;
import software.amazon.awscdk.services.autoscaling.TerminationPolicy;
import software.amazon.awscdk.services.ec2.BlockDevice;
import software.amazon.awscdk.services.ec2.BlockDeviceVolume;
import software.amazon.awscdk.services.ec2.EbsDeviceOptions;
import software.amazon.awscdk.services.ec2.EbsDeviceVolumeType;
import software.amazon.awscdk.services.ec2.InstanceType;
import software.amazon.awscdk.services.ec2.LaunchTemplate;
import software.amazon.awscdk.services.ec2.LaunchTemplateHttpTokens;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ec2.UserData;
import software.amazon.awscdk.services.ecs.AsgCapacityProvider;
import software.amazon.awscdk.services.ecs.CapacityProviderStrategy;
import software.amazon.awscdk.services.ecs.Cluster;
import software.amazon.awscdk.services.ecs.ContainerInsights;
import software.amazon.awscdk.services.ecs.EcsOptimizedImage;
import software.amazon.awscdk.services.iam.ManagedPolicy;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.constructs.Construct;

/** The hosts of services and of each group's workers, and the task definitions of workers. */
final class ClusterStack extends Stack {
    static final String SERVICES = "services";
    static final String WORKERS = "workers";

    private static final int HOST_DISK_GIB = 50;
    /** What a host registers beyond its workers' memory: too little for one more. */
    private static final int SPARE_MEBIBYTES = WorkerSize.SOFT_MEBIBYTES / 2;

    /**
     * What containers on Docker's bridge cannot reach, also after a reboot: without it no agent
     * starts. The host's credentials are behind 169.254.169.254, a task's behind 169.254.170.2. The
     * ECS agent answers on the host's own addresses (51678, 51679) and would name every task of the
     * host. The table comes before those in which Docker and the agent accept.
     */
    private static final String CONTAINER_RULES = """
            [Unit]
            Description=What containers of workers cannot reach
            Before=ecs.service
            [Service]
            Type=oneshot
            RemainAfterExit=yes
            ExecStart=/usr/sbin/iptables --wait --table raw --append PREROUTING --in-interface docker0 --destination 169.254.169.254/32 --jump DROP
            ExecStart=/usr/sbin/iptables --wait --table raw --append PREROUTING --in-interface docker0 --destination 169.254.170.2/32 --jump ACCEPT
            ExecStart=/usr/sbin/iptables --wait --table raw --append PREROUTING --in-interface docker0 --match addrtype --dst-type LOCAL --jump DROP
            [Install]
            WantedBy=multi-user.target
            RequiredBy=ecs.service
            """;

    private final Cluster cluster;
    private final AsgCapacityProvider services;
    private final AutoScalingGroup serviceHosts;
    private final Map<UserGroup, AutoScalingGroup> workerHosts = new LinkedHashMap<>();

    ClusterStack(Construct scope, String id, StackProps props, Sizes sizes, NetworkStack network, DataStack data) {
        super(scope, id, props);
        this.cluster = Cluster.Builder.create(this, "Cluster")
                .clusterName(sizes.text(Size.NAME))
                .vpc(network.vpc())
                .containerInsightsV2(ContainerInsights.ENABLED)
                .build();
        this.serviceHosts = hosts(sizes, network, SERVICES);
        this.services = provider(sizes, SERVICES, serviceHosts, 100);
        for (UserGroup group : sizes.userGroups()) {
            String kind = Names.of(group, WORKERS);
            AutoScalingGroup hosts = hosts(sizes, network, kind);
            workerHosts.put(group, hosts);
            AsgCapacityProvider provider = provider(sizes, kind, hosts, sizes.number(Size.WORKER_HOST_FILL));
            if (group.isDefault()) {
                cluster.addDefaultCapacityProviderStrategy(List.of(CapacityProviderStrategy.builder()
                        .capacityProvider(provider.getCapacityProviderName())
                        .weight(1)
                        .build()));
            }
        }
        WorkerContainer.in(this, sizes, data);
    }

    /** Known before the cluster is: the events of its tasks go to a queue of another stack. */
    static String clusterArn(Stack stack, Sizes sizes) {
        return stack.formatArn(ArnComponents.builder()
                .service("ecs")
                .resource("cluster")
                .resourceName(sizes.text(Size.NAME))
                .build());
    }

    /** The name that {@code RunTask} gives in its strategy. */
    static String providerName(Sizes sizes, String kind) {
        return sizes.text(Size.NAME) + "-" + kind;
    }

    /** The name of the hosts of a group's workers, as {@link #providerName}. */
    static String workerProvider(Sizes sizes, UserGroup group) {
        return providerName(sizes, Names.of(group, WORKERS));
    }

    private AutoScalingGroup hosts(Sizes sizes, NetworkStack network, String kind) {
        boolean isForWorkers = !kind.equals(SERVICES);
        Zone zone = isForWorkers ? Zone.WORKER_HOSTS : Zone.SERVICE_HOSTS;
        Role role = Role.Builder.create(this, Templates.camel(kind) + "HostRole")
                .assumedBy(new ServicePrincipal("ec2.amazonaws.com"))
                .managedPolicies(List.of(
                        ManagedPolicy.fromAwsManagedPolicyName("service-role/AmazonEC2ContainerServiceforEC2Role")))
                .build();
        LaunchTemplate template = LaunchTemplate.Builder.create(this, Templates.camel(kind) + "Host")
                .machineImage(EcsOptimizedImage.amazonLinux2023())
                .instanceType(new InstanceType(sizes.text(isForWorkers ? Size.WORKER_HOST : Size.API_HOST)))
                .role(role)
                .securityGroup(network.groupFor(this, zone))
                .httpTokens(LaunchTemplateHttpTokens.REQUIRED)
                // One hop: a container on the bridge network is one too far away.
                .httpPutResponseHopLimit(1)
                .blockDevices(List.of(BlockDevice.builder()
                        .deviceName("/dev/xvda")
                        .volume(BlockDeviceVolume.ebs(
                                HOST_DISK_GIB,
                                EbsDeviceOptions.builder()
                                        .volumeType(EbsDeviceVolumeType.GP3)
                                        .encrypted(true)
                                        .build()))
                        .build()))
                .userData(isForWorkers ? workerHost() : serviceHost())
                .build();
        return AutoScalingGroup.Builder.create(this, Templates.camel(kind) + "Hosts")
                .vpc(network.vpc())
                .vpcSubnets(SubnetSelection.builder()
                        .subnetType(SubnetType.PRIVATE_WITH_EGRESS)
                        .build())
                .launchTemplate(template)
                .minCapacity(isForWorkers ? sizes.number(Size.WORKER_HOSTS) : 2)
                .maxCapacity(sizes.number(isForWorkers ? Size.WORKER_HOSTS_MAX : Size.API_HOSTS_MAX))
                // Only an empty host goes.
                .newInstancesProtectedFromScaleIn(true)
                .terminationPolicies(List.of(TerminationPolicy.OLDEST_LAUNCH_TEMPLATE, TerminationPolicy.DEFAULT))
                .groupMetrics(List.of(GroupMetrics.all()))
                .build();
    }

    /**
     * Exactly {@link WorkerSize#PER_HOST} workers, by the memory that the host registers, so that a
     * full host is a full host to ECS too, and the cluster grows. The rest of the memory is for
     * workers between their soft and their hard limit. Containers reach neither each other nor the
     * host.
     */
    private static UserData workerHost() {
        int room = WorkerSize.PER_HOST * WorkerSize.SOFT_MEBIBYTES + SPARE_MEBIBYTES;
        UserData commands = UserData.forLinux();
        commands.addCommands(
                "total=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)",
                "echo ECS_RESERVED_MEMORY=$((total - " + room + ")) >> /etc/ecs/ecs.config",
                "echo '{ \"icc\": false }' > /etc/docker/daemon.json",
                "systemctl restart docker",
                "cat > /etc/systemd/system/berth-container-rules.service <<'EOF'\n" + CONTAINER_RULES + "EOF",
                "systemctl daemon-reload",
                "systemctl enable --now berth-container-rules.service");
        return commands;
    }

    private static UserData serviceHost() {
        UserData commands = UserData.forLinux();
        commands.addCommands("echo ECS_AWSVPC_BLOCK_IMDS=true >> /etc/ecs/ecs.config");
        return commands;
    }

    private AsgCapacityProvider provider(Sizes sizes, String kind, AutoScalingGroup hosts, int fillPercent) {
        AsgCapacityProvider provider = AsgCapacityProvider.Builder.create(this, Templates.camel(kind) + "Provider")
                .capacityProviderName(providerName(sizes, kind))
                .autoScalingGroup(hosts)
                .enableManagedScaling(true)
                .enableManagedTerminationProtection(true)
                .enableManagedDraining(true)
                .targetCapacityPercent(fillPercent)
                .build();
        cluster.addAsgCapacityProvider(provider);
        return provider;
    }

    Cluster cluster() {
        return cluster;
    }

    AsgCapacityProvider services() {
        return services;
    }

    AutoScalingGroup serviceHosts() {
        return serviceHosts;
    }

    Map<UserGroup, AutoScalingGroup> workerHosts() {
        return workerHosts;
    }
}
