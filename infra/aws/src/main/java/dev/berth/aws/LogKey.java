package dev.berth.aws;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.logs.RetentionDays;

/** A key of one stack's logs. */
final class LogKey {
    private LogKey() {}

    static Key in(Stack stack) {
        Key key = Key.Builder.create(stack, "LogKey")
                .description("logs of " + stack.getStackName())
                .enableKeyRotation(true)
                .removalPolicy(RemovalPolicy.RETAIN)
                .build();
        key.addToResourcePolicy(PolicyStatement.Builder.create()
                .principals(List.of(new ServicePrincipal("logs." + stack.getRegion() + ".amazonaws.com")))
                .actions(List.of("kms:Encrypt", "kms:Decrypt", "kms:GenerateDataKey*", "kms:DescribeKey"))
                .resources(List.of("*"))
                .conditions(Map.of(
                        "ArnLike",
                        Map.of(
                                "kms:EncryptionContext:aws:logs:arn",
                                "arn:" + stack.getPartition() + ":logs:" + stack.getRegion() + ":" + stack.getAccount()
                                        + ":log-group:*")))
                .build());
        return key;
    }

    static RetentionDays retention(Sizes sizes) {
        return switch (sizes.number(Size.LOG_DAYS)) {
            case 1 -> RetentionDays.ONE_DAY;
            case 3 -> RetentionDays.THREE_DAYS;
            case 5 -> RetentionDays.FIVE_DAYS;
            case 7 -> RetentionDays.ONE_WEEK;
            case 14 -> RetentionDays.TWO_WEEKS;
            case 30 -> RetentionDays.ONE_MONTH;
            case 60 -> RetentionDays.TWO_MONTHS;
            case 90 -> RetentionDays.THREE_MONTHS;
            case 120 -> RetentionDays.FOUR_MONTHS;
            case 150 -> RetentionDays.FIVE_MONTHS;
            case 180 -> RetentionDays.SIX_MONTHS;
            default -> RetentionDays.ONE_YEAR;
        };
    }
}
