package dev.berth.aws;

import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.applicationautoscaling.EnableScalingProps;
import software.amazon.awscdk.services.ecs.CpuUtilizationScalingProps;
import software.amazon.awscdk.services.ecs.Ec2Service;
import software.amazon.awscdk.services.ecs.RequestCountScalingProps;
import software.amazon.awscdk.services.ecs.ScalableTaskCount;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationTargetGroup;

/** Target tracking: soon out, slowly in. */
final class Scaling {
    static final int CPU_PERCENT = 70;
    static final int REQUESTS_A_MINUTE = 1_000;

    private static final Duration OUT = Duration.seconds(60);
    private static final Duration IN = Duration.seconds(300);

    private Scaling() {}

    /** @param requests counted for the API alone */
    static void of(Ec2Service service, ServiceRole role, Sizes sizes, @Nullable ApplicationTargetGroup requests) {
        ScalableTaskCount tasks = service.autoScaleTaskCount(EnableScalingProps.builder()
                .minCapacity(sizes.number(role.least()))
                .maxCapacity(sizes.number(role.most()))
                .build());
        tasks.scaleOnCpuUtilization(
                "Cpu",
                CpuUtilizationScalingProps.builder()
                        .targetUtilizationPercent(CPU_PERCENT)
                        .scaleOutCooldown(OUT)
                        .scaleInCooldown(IN)
                        .build());
        if (requests != null) {
            tasks.scaleOnRequestCount(
                    "Requests",
                    RequestCountScalingProps.builder()
                            .requestsPerTarget(REQUESTS_A_MINUTE)
                            .targetGroup(requests)
                            .scaleOutCooldown(OUT)
                            .scaleInCooldown(IN)
                            .build());
        }
    }
}
