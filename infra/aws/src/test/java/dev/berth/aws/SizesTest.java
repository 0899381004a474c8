package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTest {
    @Test
    void changeReplacesStandard() {
        Sizes sizes = Sizes.of(List.of("worker-hosts-max=400", "temporal=self-hosted"));
        assertThat(sizes.number(Size.WORKER_HOSTS_MAX)).isEqualTo(400);
        assertThat(sizes.isTemporalSelfHosted()).isTrue();
        assertThat(sizes.text(Size.API_HOST)).isEqualTo("m6i.large");
    }

    @Test
    void secondInstallationHasNamesOfItsOwn() {
        Sizes second = Sizes.of(List.of("name=berth-2"));
        assertThat(second.own("pool-claim")).isEqualTo("berth-2-pool-claim");
        assertThat(second.own("berth-worker")).isEqualTo("berth-2-worker");
        assertThat(Sizes.of(List.of()).own("pool-claim")).isEqualTo("pool-claim");
    }

    @Test
    void imagesOfOthersAreChosenByDigest(@TempDir Path folder) throws IOException {
        String digest = "registry.example:5000/library/postgres@sha256:" + "0a".repeat(32);
        assertThat(Sizes.of(List.of("postgres-client-image=" + digest)).text(Size.POSTGRES_CLIENT_IMAGE))
                .isEqualTo(digest);
        BerthCloud.synth(Sizes.of(List.of("temporal=self-hosted")), folder);
        JsonNode services = new ObjectMapper()
                .readTree(folder.resolve("berth-services.template.json").toFile());
        for (String image : List.of("PostgresClientImage", "TemporalImage", "TemporalToolsImage")) {
            JsonNode parameter = services.path("Parameters").path(image);
            assertThat(parameter.has("Default")).as(image).isFalse();
            Pattern allowed = Pattern.compile(parameter.path("AllowedPattern").asText());
            assertThat(digest).as(image).matches(allowed);
            assertThat("postgres:17").as(image).doesNotMatch(allowed);
            assertThat(services.path("Resources").toString()).contains("{\"Ref\":\"" + image + "\"}");
        }
    }

    @Test
    @Tag("Y4")
    @DisplayName("in the cloud, workers reach the ports of the FIX counterparties that are allowed, and 443")
    void allowedCounterpartiesAreReached(@TempDir Path folder) throws IOException {
        BerthCloud.synth(
                Sizes.of(List.of(
                        "fix-paper-address=paper.example:9880",
                        "fix-paper-allowed=*.paper.example:4197,other.example:443",
                        "fix-live-allowed=live.example:4198,more.example:4197")),
                folder);
        JsonNode network = new ObjectMapper()
                .readTree(folder.resolve("berth-network.template.json").toFile());
        Set<Integer> ports = new TreeSet<>();
        network.path("Resources")
                .forEach(resource -> resource.at("/Properties/SecurityGroupEgress")
                        .forEach(rule -> {
                            if (rule.path("Description").asText().equals("FIX counterparties")) {
                                assertThat(rule.path("FromPort")).isEqualTo(rule.path("ToPort"));
                                ports.add(rule.path("FromPort").asInt());
                            }
                        }));
        assertThat(ports).containsExactly(4197, 4198, 9880);
        JsonNode cluster = new ObjectMapper()
                .readTree(folder.resolve("berth-cluster.template.json").toFile());
        assertThat(cluster.toString())
                .contains(
                        "{\"Name\":\"BERTH_FIX_PAPER_ALLOWED\",\"Value\":\"*.paper.example:4197,other.example:443\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "worker-host-max=4 | there is no size 'worker-host-max'",
                "worker-hosts=many | 'worker-hosts=many' does not fit",
                "worker-hosts | 'worker-hosts' does not fit",
                "postgres-client-image=postgres:17 | does not fit",
                "fix-paper-allowed=*:4197 | does not fit",
                "temporal-image=temporalio/server | does not fit",
                "temporal-tools-image=temporalio/admin-tools@sha256:12ab | does not fit",
                "api-image=registry.example/berth/api:1.0.0 | does not fit",
                "worker-image=berth-worker:latest@sha256 | does not fit",
                "groups=Gold | 'groups=Gold' does not fit",
                "groups=gold,default | groups must name each group once, and not the default one.",
                "api-tasks=11 | api-tasks must be at most api-tasks-max"
            })
    void refusesWhatItDoesNotKnow(String change, String message) {
        assertThatThrownBy(() -> Sizes.of(List.of(change)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
