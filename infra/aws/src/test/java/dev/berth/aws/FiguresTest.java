package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures that a cloud account must have. */
class FiguresTest {
    private static final Synthesis CLOUD = Synthesis.STANDARD;
    private static final String SERVICE = "AWS::ECS::Service";
    private static final String QUEUE = "AWS::SQS::Queue";

    @Test
    @Tag("B1")
    @DisplayName("in the cloud, services run on m6i.large and workers on r6i.large, each with managed scaling")
    void twoCapacityProviders() {
        assertThat(CLOUD.resources("AWS::ECS::CapacityProvider")
                        .map(provider -> provider.at("/Properties/Name").asText()))
                .containsExactlyInAnyOrder("berth-services", "berth-workers");
        assertThat(CLOUD.resources("AWS::ECS::CapacityProvider")).allSatisfy(provider -> {
            JsonNode group = provider.at("/Properties/AutoScalingGroupProvider");
            assertThat(group.at("/ManagedScaling/Status").asText()).isEqualTo("ENABLED");
            assertThat(group.at("/ManagedTerminationProtection").asText()).isEqualTo("ENABLED");
            assertThat(group.at("/ManagedDraining").asText()).isEqualTo("ENABLED");
        });
        assertThat(CLOUD.resources("AWS::EC2::LaunchTemplate")
                        .map(host -> host.at("/Properties/LaunchTemplateData/InstanceType")
                                .asText()))
                .containsExactlyInAnyOrder("m6i.large", "r6i.large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "orchestrator", "gateway"})
    void serviceRollsWithinBoundsAndBack(String role) {
        JsonNode service = CLOUD.only(SERVICE, "/ServiceName", "berth-" + role);
        JsonNode rolling = service.path("DeploymentConfiguration");
        assertThat(rolling.path("MinimumHealthyPercent").asInt()).isEqualTo(100);
        assertThat(rolling.path("MaximumPercent").asInt()).isEqualTo(200);
        assertThat(rolling.at("/DeploymentCircuitBreaker/Enable").asBoolean()).isTrue();
        assertThat(rolling.at("/DeploymentCircuitBreaker/Rollback").asBoolean()).isTrue();
        JsonNode container = CLOUD.container("berth-" + role);
        assertThat(container.path("Cpu").asInt()).isEqualTo(1_024);
        assertThat(container.path("MemoryReservation").asInt()).isEqualTo(1_536);
        assertThat(container.path("Memory").asInt()).isEqualTo(3_072);
    }

    @Test
    void targetsDrainFor300Seconds() {
        assertThat(CLOUD.resources("AWS::ElasticLoadBalancingV2::TargetGroup"))
                .hasSize(2)
                .allSatisfy(group -> assertThat(
                                group.at("/Properties/TargetGroupAttributes").toString())
                        .contains("{\"Key\":\"deregistration_delay.timeout_seconds\",\"Value\":\"300\"}"));
    }

    @Test
    void scalesByCpuAndRequestsSoonOutSlowlyIn() {
        List<JsonNode> policies = CLOUD.resources("AWS::ApplicationAutoScaling::ScalingPolicy")
                .map(policy -> policy.at("/Properties/TargetTrackingScalingPolicyConfiguration"))
                .toList();
        assertThat(policies).hasSize(4).allSatisfy(policy -> {
            assertThat(policy.path("ScaleOutCooldown").asInt()).isEqualTo(60);
            assertThat(policy.path("ScaleInCooldown").asInt()).isEqualTo(300);
        });
        assertThat(policies)
                .extracting(policy -> policy.at("/PredefinedMetricSpecification/PredefinedMetricType")
                                .asText()
                        + " " + policy.path("TargetValue").asInt())
                .containsExactlyInAnyOrder(
                        "ECSServiceAverageCPUUtilization 70",
                        "ECSServiceAverageCPUUtilization 70",
                        "ECSServiceAverageCPUUtilization 70",
                        "ALBRequestCountPerTarget 1000");
    }

    @Test
    void workerHasSizeAndConfinement() {
        JsonNode task = CLOUD.only("AWS::ECS::TaskDefinition", "/Family", "berth-worker");
        assertThat(task.path("NetworkMode").asText()).isEqualTo("bridge");
        JsonNode worker = CLOUD.container("berth-worker");
        assertThat(worker.path("Cpu").asInt()).isEqualTo(64);
        assertThat(worker.path("MemoryReservation").asInt()).isEqualTo(384);
        assertThat(worker.path("Memory").asInt()).isEqualTo(1_024);
        assertThat(worker.path("User").asText()).isEqualTo("10001:10001");
        assertThat(worker.path("ReadonlyRootFilesystem").asBoolean()).isTrue();
        assertThat(worker.path("Privileged").asBoolean()).isFalse();
        assertThat(worker.path("DockerSecurityOptions")).hasToString("[\"no-new-privileges\"]");
        assertThat(worker.at("/LinuxParameters/Capabilities")).hasToString("{\"Drop\":[\"ALL\"]}");
        assertThat(worker.at("/LinuxParameters/Tmpfs/0/ContainerPath").asText()).isEqualTo("/tmp");
        assertThat(worker.path("Ulimits").toString()).contains("{\"HardLimit\":0,\"Name\":\"core\",\"SoftLimit\":0}");
    }

    @Test
    void fullHostHasNoRoomForOneMoreWorker() {
        JsonNode host = CLOUD.only("AWS::EC2::LaunchTemplate", "/LaunchTemplateData/InstanceType", "r6i.large");
        String commands = host.at("/LaunchTemplateData/UserData").toString();
        int registered = Integer.parseInt(commands.replaceFirst("(?s).*total - (\\d+).*", "$1"));
        assertThat(registered / 384).isEqualTo(30);
        assertThat(host.at("/LaunchTemplateData/MetadataOptions/HttpTokens").asText())
                .isEqualTo("required");
        assertThat(host.at("/LaunchTemplateData/MetadataOptions/HttpPutResponseHopLimit")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    @Tag("X31")
    @DisplayName("in the cloud, containers of workers reach no address of their host, also after a reboot")
    void containersReachNoHostPort() {
        JsonNode host = CLOUD.only("AWS::EC2::LaunchTemplate", "/LaunchTemplateData/InstanceType", "r6i.large");
        String commands = host.at("/LaunchTemplateData/UserData").toString();
        assertThat(commands)
                .containsSubsequence(
                        "/etc/systemd/system/berth-container-rules.service",
                        "Before=ecs.service",
                        "--in-interface docker0 --destination 169.254.169.254/32 --jump DROP",
                        "--in-interface docker0 --destination 169.254.170.2/32 --jump ACCEPT",
                        "--in-interface docker0 --match addrtype --dst-type LOCAL --jump DROP",
                        "RequiredBy=ecs.service",
                        "systemctl enable --now berth-container-rules.service");
    }

    @Test
    @Tag("A4")
    @Tag("B6")
    @DisplayName("in the cloud, a claim is invisible for 10 s once received, and gone after 5 min")
    void claimsAreShortLived() {
        JsonNode claims = CLOUD.only(QUEUE, "/QueueName", "pool-claim");
        assertThat(claims.path("VisibilityTimeout").asInt()).isEqualTo(10);
        assertThat(claims.path("MessageRetentionPeriod").asInt()).isEqualTo(300);
    }

    @Test
    @Tag("B5")
    @DisplayName("in the cloud, messages that failed for good are kept 14 days, and an alarm tells a person")
    void failedMessagesAreKept() {
        assertThat(CLOUD.resources(QUEUE)
                        .map(queue -> queue.path("Properties"))
                        .filter(queue -> queue.path("QueueName").asText().endsWith("-failed")))
                .hasSize(2)
                .allSatisfy(queue ->
                        assertThat(queue.path("MessageRetentionPeriod").asInt()).isEqualTo(14 * 24 * 3_600));
        assertThat(CLOUD.resources("AWS::CloudWatch::Alarm")
                        .map(alarm -> alarm.path("Properties"))
                        .filter(alarm ->
                                alarm.path("MetricName").asText().equals("ApproximateNumberOfMessagesVisible")))
                .hasSize(2)
                .allSatisfy(alarm -> {
                    assertThat(alarm.path("Threshold").asInt()).isZero();
                    assertThat(alarm.path("AlarmActions")).isNotEmpty();
                });
    }

    @Test
    void stoppedWorkersAreReported() {
        JsonNode rule =
                CLOUD.resources("AWS::Events::Rule").findFirst().orElseThrow().path("Properties");
        assertThat(rule.at("/EventPattern/source/0").asText()).isEqualTo("aws.ecs");
        assertThat(rule.at("/EventPattern/detail/group/0").asText()).isEqualTo("family:berth-worker");
        assertThat(rule.at("/Targets/0/Arn").toString()).contains("TaskEvents");
    }

    @Test
    void storesAreEncryptedInTwoZones() {
        JsonNode database = CLOUD.resources("AWS::RDS::DBInstance")
                .findFirst()
                .orElseThrow()
                .path("Properties");
        assertThat(database.path("MultiAZ").asBoolean()).isTrue();
        assertThat(database.path("StorageEncrypted").asBoolean()).isTrue();
        assertThat(database.path("DeletionProtection").asBoolean()).isTrue();
        JsonNode cache = CLOUD.resources("AWS::ElastiCache::ReplicationGroup")
                .findFirst()
                .orElseThrow()
                .path("Properties");
        assertThat(cache.path("TransitEncryptionEnabled").asBoolean()).isTrue();
        assertThat(cache.path("AtRestEncryptionEnabled").asBoolean()).isTrue();
        assertThat(cache.path("AutomaticFailoverEnabled").asBoolean()).isTrue();
        assertThat(cache.path("ClusterMode").asText()).isEqualTo("disabled");
    }

    @Test
    void noTemplateHoldsPassword() {
        for (String stack : Synthesis.STACKS) {
            assertThat(CLOUD.template(stack).findValuesAsText("SecretString"))
                    .as(stack)
                    .isEmpty();
        }
        assertThat(CLOUD.resources("AWS::ElastiCache::User")
                        .map(user -> user.at("/Properties/Passwords").toString()))
                .hasSize(3)
                .allSatisfy(password -> assertThat(password).matches("|.*resolve:secretsmanager.*"));
    }
}
