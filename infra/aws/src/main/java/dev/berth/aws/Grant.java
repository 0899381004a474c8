package dev.berth.aws;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.services.iam.PolicyStatement;

/**
 * What a role may do.
 *
 * @param usedBy the class that does it, or the service of AWS
 * @param conditions of IAM; empty for none
 */
record Grant(List<String> actions, List<String> resources, String usedBy, Map<String, Object> conditions) {
    Grant {
        actions = List.copyOf(actions);
        resources = List.copyOf(resources);
        conditions = Map.copyOf(conditions);
    }

    static Grant of(String usedBy, List<String> resources, String... actions) {
        return new Grant(List.of(actions), resources, usedBy, Map.of());
    }

    Grant when(String operator, Map<String, ?> condition) {
        return new Grant(actions, resources, usedBy, Map.of(operator, condition));
    }

    /** @param number makes its id the only one of its policy */
    PolicyStatement statement(int number) {
        return PolicyStatement.Builder.create()
                .sid(usedBy + number)
                .actions(actions)
                .resources(resources)
                .conditions(conditions)
                .build();
    }
}
