package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each action of each role is used by the class that its statement names, and by no other. */
class PermissionsTest {
    private static final Synthesis CLOUD = Synthesis.STANDARD;
    private static final Path ROOT = Path.of("../..");
    private static final Set<String> MODULES =
            Set.of("api/rest", "api/orchestrator", "api/process", "api/gateway", "activities");
    /** The AWS Encryption SDK calls KMS for this class. */
    private static final String KEYRING = "CreateAwsKmsKeyring";

    /** Action to class, of one role. */
    private static Map<String, Set<String>> actions(String role) {
        Map<String, Set<String>> actions = new TreeMap<>();
        JsonNode properties = CLOUD.only("AWS::IAM::Role", "/RoleName", role);
        for (JsonNode statement : properties.at("/Policies/0/PolicyDocument/Statement")) {
            String usedBy = statement.path("Sid").asText().replaceFirst("\\d+$", "");
            JsonNode action = statement.path("Action");
            Stream<String> names = action.isTextual()
                    ? Stream.of(action.asText())
                    : Stream.iterate(0, i -> i < action.size(), i -> i + 1)
                            .map(i -> action.path(i).asText());
            names.forEach(
                    name -> actions.computeIfAbsent(name, _ -> new TreeSet<>()).add(usedBy));
        }
        return actions;
    }

    @Test
    void rolesAllowWhatTheirCodeCalls() {
        assertThat(actions("berth-api")).hasToString("{kms:GenerateDataKey=[KmsWrappingKey]}");
        assertThat(actions("berth-gateway"))
                .hasToString("{sqs:DeleteMessage=[ClaimReader], sqs:GetQueueUrl=[ClaimReader],"
                        + " sqs:ReceiveMessage=[ClaimReader]}");
        assertThat(actions("berth-worker")).isEmpty();
        assertThat(actions("berth-orchestrator"))
                .hasToString("{ecs:DescribeContainerInstances=[EcsHosts], ecs:DescribeTaskDefinition=[EcsLauncher],"
                        + " ecs:DescribeTasks=[EcsLauncher], ecs:ListContainerInstances=[EcsHosts],"
                        + " ecs:ListTasks=[EcsLauncher], ecs:RunTask=[EcsLauncher],"
                        + " ecs:StopTask=[EcsLauncher], ecs:UpdateContainerInstancesState=[EcsHosts],"
                        + " iam:PassRole=[EcsLauncher], kms:Decrypt=[KmsWrappingKey],"
                        + " kms:GenerateDataKey=[KmsWrappingKey], sqs:ChangeMessageVisibility=[TaskEvents],"
                        + " sqs:DeleteMessage=[TaskEvents], sqs:GetQueueUrl=[PoolConfiguration, TaskEvents],"
                        + " sqs:ReceiveMessage=[TaskEvents], sqs:SendMessage=[SqsPoolClaims]}");
    }

    @Test
    void namedClassesMakeTheCalls() {
        for (String role : Set.of("berth-api", "berth-orchestrator", "berth-gateway")) {
            actions(role)
                    .forEach((action, classes) -> classes.forEach(usedBy -> {
                        String call = action.substring(action.indexOf(':') + 1);
                        String expected = action.startsWith("kms:")
                                ? KEYRING
                                : call.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + call.substring(1);
                        // To run a task is to hand over its roles.
                        assertThat(source(usedBy))
                                .as(action)
                                .containsPattern((call.equals("PassRole") ? "runTask" : expected) + "(Paginator)?\\b");
                    }));
        }
    }

    private static String source(String className) {
        return sources()
                .filter(file -> file.getFileName().toString().equals(className + ".java"))
                .map(PermissionsTest::read)
                .collect(Collectors.joining());
    }

    private static Stream<Path> sources() {
        return MODULES.stream().flatMap(module -> {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
