package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.WorkerSettings;
import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.PoolNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The environment of each task is what the code in it reads. */
class SettingsTest {
    private static final Synthesis CLOUD = Synthesis.STANDARD;

    /** As ECS would set it; what only AWS knows is a word of the right form. */
    private static Map<String, String> environment(JsonNode container) {
        Map<String, String> environment = new HashMap<>();
        for (JsonNode variable : container.path("Environment")) {
            JsonNode value = variable.path("Value");
            environment.put(
                    variable.path("Name").asText(),
                    value.isTextual()
                            ? value.asText()
                            : known(variable.path("Name").asText(), value));
        }
        for (JsonNode secret : container.path("Secrets")) {
            environment.put(secret.path("Name").asText(), "secret");
        }
        return environment;
    }

    private static String known(String name, JsonNode value) {
        return switch (name) {
            case "BERTH_REDIS_URI" ->
                value.at("/Fn::Sub/0").asText().replace("${Host}", "cache").replace("${!", "${");
            case "BERTH_AUTH_ISSUER" -> "https://issuer.example";
            case "BERTH_AUTH_ROLES" -> "trader=orders:read";
            case "BERTH_ACCOUNTS_KMS_KEY" -> "arn:aws:kms:eu-west-1:111122223333:key/1234abcd";
            default -> "given-by-aws";
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "orchestrator"})
    void serviceStartsWithItsEnvironment(String role) {
        BerthSettings settings = bind(environment(CLOUD.container("berth-" + role)));
        assertThat(settings.redisUri()).hasScheme("rediss").hasUserInfo("berth-api:secret");
        assertThat(settings.roles()).hasToString("[" + role.toUpperCase(java.util.Locale.ROOT) + "]");
        assertThat(settings.ecs().taskDefinition()).isEqualTo("berth-worker");
        assertThat(settings.ecs().capacityProvider()).isEqualTo("berth-workers");
        assertThat(settings.tls().required()).isTrue();
        assertThat(settings.gateway().enrolmentKeyFile() != null).isEqualTo(role.equals("orchestrator"));
    }

    /** What a group is called by the settings is called so by the templates. */
    @ParameterizedTest
    @ValueSource(strings = {"api", "orchestrator"})
    void groupsHaveWorkersHostsAndClaimsOfTheirOwn(String role) {
        Synthesis cloud = Synthesis.SELF_HOSTED;
        BerthSettings settings = bind(environment(cloud.container("berth-" + role)));
        assertThat(settings.groups().keySet()).extracting(UserGroup::name).containsExactlyInAnyOrder("gold", "free");
        settings.groups().forEach((group, options) -> {
            String claims = PoolNames.claimQueue(settings.sqs().poolClaim(), group);
            assertThat(cloud.only("AWS::SQS::Queue", "/QueueName", claims)).isNotEmpty();
            assertThat(cloud.only("AWS::ECS::CapacityProvider", "/Name", options.capacityProvider()))
                    .isNotEmpty();
        });
    }

    @Test
    void gatewayHasNoKeyOfAnother() {
        Map<String, String> gateway = environment(CLOUD.container("berth-gateway"));
        assertThat(gateway)
                .containsEntry("BERTH_ROLES", "gateway")
                .containsEntry("SPRING_DATASOURCE_USERNAME", "berth_gateway")
                .doesNotContainKey("SPRING_FLYWAY_USER");
        assertThat(gateway.keySet()).noneMatch(name -> name.contains("ENROLMENT") || name.contains("KMS"));
        assertThat(gateway).containsEntry("BERTH_SQS_POOL_CLAIM", "pool-claim");
    }

    private static BerthSettings bind(Map<String, String> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.copyOf(variables)));
        ConfigurationPropertySources.attach(environment);
        return Binder.get(environment)
                .bind("berth", Bindable.of(BerthSettings.class))
                .get();
    }

    /** Every key file that a setting names comes from a secret. */
    @ParameterizedTest
    @ValueSource(strings = {"berth-api", "berth-orchestrator", "berth-gateway"})
    void keyFilesComeFromSecrets(String family) {
        JsonNode container = CLOUD.container(family);
        List<String> secrets = container.path("Secrets").findValuesAsText("Name");
        assertThat(container.path("Environment").findValuesAsText("Name").stream()
                        .filter(name -> name.endsWith("_FILE")))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(secrets).contains(name + "_BASE64"));
    }

    @Test
    void everyVariableIsDocumented() throws Exception {
        String page = Files.readString(Path.of("../../docs/settings.md"));
        for (String family : List.of("berth-worker", "berth-api", "berth-orchestrator", "berth-gateway")) {
            assertThat(environment(CLOUD.container(family)).keySet())
                    .filteredOn(name -> name.startsWith("BERTH_"))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(page).contains("`" + name.replaceFirst("_BASE64$", "")));
        }
    }

    @Test
    void workerStartsWithItsEnvironment() {
        Map<String, String> environment = environment(CLOUD.container("berth-worker"));
        assertThat(environment).doesNotContainKeys("BERTH_ENROLMENT_SECRET", "BERTH_USER_ID");
        environment.put("BERTH_USER_ID", "-1");
        environment.put("BERTH_ENROLMENT_SECRET", "given by RunTask");
        environment.put("BERTH_GATEWAY_CA", Base64.getEncoder().encodeToString(AuthorityCertificate.PEM));
        environment.put("ECS_CONTAINER_METADATA_URI_V4", "http://169.254.170.2/v4/1");
        WorkerSettings settings = WorkerSettings.from(environment);
        assertThat(environment.keySet()).noneMatch(name -> name.startsWith("AWS_"));
        assertThat(settings.gateway().target()).isEqualTo("gateway.berth.internal:17233");
    }
}
