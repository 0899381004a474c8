package dev.berth.aws;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.PolicyDocument;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;

/**
 * The roles of the tasks. A task role is what the code in the task may do; a start role is what ECS
 * may do for the task before its code runs.
 */
enum Permissions {
    API,
    ORCHESTRATOR,
    GATEWAY,
    WORKER,
    SETUP,
    API_START,
    ORCHESTRATOR_START,
    GATEWAY_START,
    WORKER_START,
    TEMPORAL_START,
    SETUP_START;

    /** The secrets that ECS reads for the task. */
    List<SecretName> secrets() {
        return switch (this) {
            case API, ORCHESTRATOR, GATEWAY, WORKER, SETUP -> List.of();
            case API_START ->
                List.of(
                        SecretName.TEMPORAL_API_KEY,
                        SecretName.POSTGRES_API,
                        SecretName.REDIS_API,
                        SecretName.CODEC_KEY,
                        SecretName.DATABASE_AUTHORITY);
            case ORCHESTRATOR_START ->
                List.of(
                        SecretName.TEMPORAL_API_KEY,
                        SecretName.POSTGRES_API,
                        SecretName.POSTGRES_OWNER,
                        SecretName.REDIS_API,
                        SecretName.CODEC_KEY,
                        SecretName.DATABASE_AUTHORITY,
                        SecretName.ENROLMENT_KEY);
            case GATEWAY_START ->
                List.of(
                        SecretName.TEMPORAL_API_KEY,
                        SecretName.POSTGRES_GATEWAY,
                        SecretName.REDIS_GATEWAY,
                        SecretName.CODEC_KEY,
                        SecretName.DATABASE_AUTHORITY,
                        SecretName.GATEWAY_KEY,
                        SecretName.GATEWAY_AUTHORITY,
                        SecretName.GATEWAY_AUTHORITY_KEY);
            // The certificate of the authority, not its key.
            case WORKER_START -> List.of(SecretName.GATEWAY_AUTHORITY);
            case TEMPORAL_START -> List.of(SecretName.POSTGRES_TEMPORAL);
            case SETUP_START ->
                List.of(
                        SecretName.POSTGRES_SUPERUSER,
                        SecretName.POSTGRES_OWNER,
                        SecretName.POSTGRES_API,
                        SecretName.POSTGRES_GATEWAY,
                        SecretName.POSTGRES_TEMPORAL);
        };
    }

    Role role(Stack stack, DataStack data) {
        List<Grant> grants = grants(stack, data);
        PolicyDocument policy = PolicyDocument.Builder.create()
                .statements(IntStream.range(0, grants.size())
                        .mapToObj(i -> grants.get(i).statement(i + 1))
                        .toList())
                .build();
        return Role.Builder.create(stack, Templates.camel(name()) + "Role")
                .roleName(clusterName(data) + "-" + key())
                .assumedBy(ServicePrincipal.Builder.create("ecs-tasks.amazonaws.com")
                        .conditions(Map.of("StringEquals", Map.of("aws:SourceAccount", stack.getAccount())))
                        .build())
                .inlinePolicies(grants.isEmpty() ? Map.of() : Map.of("berth", policy))
                .build();
    }

    /** Every action, what it is for, and on what. */
    List<Grant> grants(Stack stack, DataStack data) {
        return switch (this) {
            case API -> apiGrants(data);
            case ORCHESTRATOR -> orchestratorGrants(stack, data);
            case GATEWAY -> gatewayGrants(data);
            case WORKER, SETUP -> List.of();
            case API_START, ORCHESTRATOR_START, GATEWAY_START, WORKER_START, TEMPORAL_START, SETUP_START ->
                startGrants(stack, data);
        };
    }

    private static List<Grant> apiGrants(DataStack data) {
        // Only wraps: what is stored is opened by the orchestrator.
        return List.of(Grant.of("KmsWrappingKey", List.of(data.credentialsKey().getKeyArn()), "kms:GenerateDataKey"));
    }

    private static List<Grant> orchestratorGrants(Stack stack, DataStack data) {
        Map<String, Object> inCluster = Map.of("ecs:cluster", stack.formatArn(cluster(data)));
        String tasks = ecs(stack, "task", clusterName(data) + "/*");
        String hosts = ecs(stack, "container-instance", clusterName(data) + "/*");
        List<String> definitions = data.workerFamilies().stream()
                .map(family -> ecs(stack, "task-definition", family + ":*"))
                .toList();
        return List.of(
                Grant.of("EcsLauncher", definitions, "ecs:RunTask").when("ArnEquals", inCluster),
                Grant.of(
                                "EcsLauncher",
                                List.of(roleArn(stack, data, WORKER), roleArn(stack, data, WORKER_START)),
                                "iam:PassRole")
                        .when("StringEquals", Map.of("iam:PassedToService", "ecs-tasks.amazonaws.com")),
                Grant.of("EcsLauncher", List.of(tasks), "ecs:StopTask", "ecs:DescribeTasks")
                        .when("ArnEquals", inCluster),
                Grant.of("EcsLauncher", List.of("*"), "ecs:ListTasks").when("ArnEquals", inCluster),
                // It knows no resources.
                Grant.of("EcsLauncher", List.of("*"), "ecs:DescribeTaskDefinition"),
                Grant.of("EcsHosts", List.of(hosts), "ecs:DescribeContainerInstances")
                        .when("ArnEquals", inCluster),
                Grant.of("EcsHosts", List.of(stack.formatArn(cluster(data))), "ecs:ListContainerInstances"),
                Grant.of("EcsHosts", List.of(hosts), "ecs:UpdateContainerInstancesState")
                        .when("ArnEquals", inCluster),
                Grant.of("PoolConfiguration", data.poolClaimArns(), "sqs:GetQueueUrl"),
                Grant.of("SqsPoolClaims", data.poolClaimArns(), "sqs:SendMessage"),
                Grant.of(
                        "TaskEvents",
                        List.of(data.taskEvents().getQueueArn()),
                        "sqs:GetQueueUrl",
                        "sqs:ReceiveMessage",
                        "sqs:DeleteMessage",
                        "sqs:ChangeMessageVisibility"),
                Grant.of(
                        "KmsWrappingKey",
                        List.of(data.credentialsKey().getKeyArn()),
                        "kms:GenerateDataKey",
                        "kms:Decrypt"));
    }

    private static List<Grant> gatewayGrants(DataStack data) {
        return List.of(Grant.of(
                "ClaimReader", data.poolClaimArns(), "sqs:GetQueueUrl", "sqs:ReceiveMessage", "sqs:DeleteMessage"));
    }

    private List<Grant> startGrants(Stack stack, DataStack data) {
        String own = stack.formatArn(ArnComponents.builder()
                .service("ecr")
                .resource("repository")
                .resourceName(clusterName(data) + "/" + (this == WORKER_START ? "worker" : "api"))
                .build());
        String logs = "arn:" + stack.getPartition() + ":logs:" + stack.getRegion() + ":" + stack.getAccount()
                + ":log-group:/" + clusterName(data) + "/*";
        return List.of(
                Grant.of(
                        "ECS",
                        List.of(own),
                        "ecr:BatchCheckLayerAvailability",
                        "ecr:GetDownloadUrlForLayer",
                        "ecr:BatchGetImage"),
                // It knows no resources.
                Grant.of("ECS", List.of("*"), "ecr:GetAuthorizationToken"),
                Grant.of("ECS", List.of(logs), "logs:CreateLogStream", "logs:PutLogEvents"),
                Grant.of("ECS", secrets().stream().map(data::secretArn).toList(), "secretsmanager:GetSecretValue"),
                Grant.of("ECS", List.of(data.dataKey().getKeyArn()), "kms:Decrypt")
                        .when(
                                "StringEquals",
                                Map.of("kms:ViaService", "secretsmanager." + stack.getRegion() + ".amazonaws.com")));
    }

    private static String clusterName(DataStack data) {
        return data.name();
    }

    private static ArnComponents cluster(DataStack data) {
        return ArnComponents.builder()
                .service("ecs")
                .resource("cluster")
                .resourceName(clusterName(data))
                .build();
    }

    private static String ecs(Stack stack, String resource, String name) {
        return stack.formatArn(ArnComponents.builder()
                .service("ecs")
                .resource(resource)
                .resourceName(name)
                .build());
    }

    private static String roleArn(Stack stack, DataStack data, Permissions role) {
        return stack.formatArn(ArnComponents.builder()
                .service("iam")
                .region("")
                .resource("role")
                .resourceName(clusterName(data) + "-" + role.key())
                .build());
    }

    private String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
