package dev.berth.aws;

import dev.berth.workflows.UserGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.CfnParameter;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.autoscaling.AutoScalingGroup;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.AlarmWidget;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.Dashboard;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.IWidget;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.elasticloadbalancingv2.HttpCodeTarget;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.sns.Topic;
import software.amazon.awscdk.services.sns.subscriptions.EmailSubscription;
import software.constructs.Construct;

/** What AWS itself measures: a person is told, and sees it on one page. */
final class ObservabilityStack extends Stack {
    private static final Duration MINUTE = Duration.minutes(1);

    private final Topic topic;
    private final List<Alarm> alarms = new ArrayList<>();

    ObservabilityStack(
            Construct scope,
            String id,
            StackProps props,
            Sizes sizes,
            DataStack data,
            ClusterStack cluster,
            ServicesStack services) {
        super(scope, id, props);
        CfnParameter email = CfnParameter.Builder.create(this, "AlarmEmail")
                .type("String")
                .description("who is told; the address must confirm")
                .allowedPattern("[^@]+@[^@]+")
                .build();
        this.topic = Topic.Builder.create(this, "Alarms")
                .masterKey(topicKey())
                .enforceSsl(true)
                .build();
        topic.addSubscription(new EmailSubscription(email.getValueAsString()));
        queues(data);
        data(data, sizes);
        services(sizes, services);
        hosts(sizes, cluster);
        Dashboard.Builder.create(this, "Dashboard")
                .dashboardName(sizes.text(Size.NAME))
                .widgets(rows())
                .build();
    }

    private Key topicKey() {
        Key key = Key.Builder.create(this, "TopicKey")
                .description("alarms")
                .enableKeyRotation(true)
                .build();
        key.addToResourcePolicy(PolicyStatement.Builder.create()
                .principals(List.of(new ServicePrincipal("cloudwatch.amazonaws.com")))
                .actions(List.of("kms:Decrypt", "kms:GenerateDataKey*"))
                .resources(List.of("*"))
                .conditions(Map.of("StringEquals", Map.of("aws:SourceAccount", getAccount())))
                .build());
        return key;
    }

    private void queues(DataStack data) {
        data.failed()
                .forEach(queue -> above(
                        Templates.camel(queue.getNode().getId()),
                        queue.metricApproximateNumberOfMessagesVisible(),
                        0,
                        1,
                        "work that failed for good: look at it, then redrive it"));
        above(
                "EventsWait",
                data.taskEvents().metricApproximateAgeOfOldestMessage(),
                60,
                2,
                "no orchestrator reads the events of stopped workers");
    }

    private void data(DataStack data, Sizes sizes) {
        above("DatabaseCpu", data.database().metricCPUUtilization(), 80, 5, "PostgreSQL is busy");
        below(
                "DatabaseSpace",
                data.database().metricFreeStorageSpace(),
                sizes.number(Size.DATABASE_GIB) * 1024.0 * 1024 * 1024 / 10,
                5,
                "PostgreSQL has less than a tenth of its first storage left");
        Map<String, String> cache = Map.of("ReplicationGroupId", data.cache().group());
        above("CacheCpu", metric("AWS/ElastiCache", "EngineCPUUtilization", cache), 80, 5, "Valkey is busy");
        above(
                "CacheMemory",
                metric("AWS/ElastiCache", "DatabaseMemoryUsagePercentage", cache),
                70,
                5,
                "Valkey would refuse writes when it is full");
        above(
                "CacheLag",
                metric("AWS/ElastiCache", "ReplicationLag", cache),
                1,
                5,
                "a failover now would lose what the replica lacks");
    }

    private void services(Sizes sizes, ServicesStack services) {
        for (ServiceRole role : ServiceRole.values()) {
            below(
                    Templates.camel(role.key()) + "Tasks",
                    metric(
                            "ECS/ContainerInsights",
                            "RunningTaskCount",
                            Map.of(
                                    "ClusterName",
                                    sizes.text(Size.NAME),
                                    "ServiceName",
                                    sizes.text(Size.NAME) + "-" + role.key())),
                    sizes.number(role.least()),
                    5,
                    "fewer tasks of the " + role.key() + " than wanted");
        }
        above(
                "ApiErrors",
                services.apiTargets().getMetrics().httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT),
                10,
                2,
                "the API answers with errors");
        above(
                "ApiUnhealthy",
                services.apiTargets().getMetrics().unhealthyHostCount(),
                0,
                5,
                "a task of the API is not ready");
        above(
                "GatewayUnhealthy",
                services.gatewayTargets().getMetrics().unHealthyHostCount(),
                0,
                5,
                "a task of the gateway is not ready");
    }

    /** At the maximum no host comes, and launches wait. */
    private void hosts(Sizes sizes, ClusterStack cluster) {
        cluster.workerHosts().forEach((group, hosts) -> workerHosts(sizes, group, hosts));
    }

    private void workerHosts(Sizes sizes, UserGroup group, AutoScalingGroup hosts) {
        String whose = group.isDefault() ? "" : " of the group " + group;
        above(
                Templates.camel(Names.of(group, "worker-hosts")),
                metric(
                        "AWS/AutoScaling",
                        "GroupDesiredCapacity",
                        Map.of("AutoScalingGroupName", hosts.getAutoScalingGroupName())),
                sizes.number(Size.WORKER_HOSTS_MAX) - 1,
                5,
                "the last worker host" + whose + " is in use: raise " + Size.WORKER_HOSTS_MAX.key()
                        + " or open another cell");
        above(
                Templates.camel(Names.of(group, "worker-room")),
                metric(
                        "AWS/ECS/ManagedScaling",
                        "CapacityProviderReservation",
                        Map.of(
                                "ClusterName", sizes.text(Size.NAME),
                                "CapacityProviderName", ClusterStack.workerProvider(sizes, group))),
                100,
                10,
                "workers" + whose + " wait for a host that does not come");
    }

    private static Metric metric(String namespace, String name, Map<String, String> dimensions) {
        return Metric.Builder.create()
                .namespace(namespace)
                .metricName(name)
                .dimensionsMap(dimensions)
                .statistic("Average")
                .period(MINUTE)
                .build();
    }

    private void above(String id, IMetric metric, double limit, int minutes, String why) {
        alarm(
                id,
                metric,
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                limit,
                minutes,
                why,
                TreatMissingData.NOT_BREACHING);
    }

    /** Nothing measured is nothing there. */
    private void below(String id, IMetric metric, double limit, int minutes, String why) {
        alarm(id, metric, ComparisonOperator.LESS_THAN_THRESHOLD, limit, minutes, why, TreatMissingData.BREACHING);
    }

    private void alarm(
            String id,
            IMetric metric,
            ComparisonOperator comparison,
            double limit,
            int minutes,
            String why,
            TreatMissingData missing) {
        Alarm alarm = Alarm.Builder.create(this, id + "Alarm")
                .metric(metric)
                .comparisonOperator(comparison)
                .threshold(limit)
                .evaluationPeriods(minutes)
                .treatMissingData(missing)
                .alarmDescription(why)
                .build();
        alarm.addAlarmAction(new SnsAction(topic));
        alarm.addOkAction(new SnsAction(topic));
        alarms.add(alarm);
    }

    private List<List<? extends IWidget>> rows() {
        List<List<? extends IWidget>> rows = new ArrayList<>();
        for (int i = 0; i < alarms.size(); i += 3) {
            rows.add(alarms.subList(i, Math.min(i + 3, alarms.size())).stream()
                    .map(alarm -> AlarmWidget.Builder.create()
                            .title(alarm.getNode().getId())
                            .alarm(alarm)
                            .build())
                    .toList());
        }
        return rows;
    }
}
