package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTest {
    @TempDir
    private Path folder;

    @Test
    void metadataContainsTaskArn() throws Exception {
        try (EcsFixture ecs = new EcsFixture(folder)) {
            ecs.define(
                    "curious",
                    "curl -s $ECS_CONTAINER_METADATA_URI_V4/task; echo; curl -s $ECS_CONTAINER_METADATA_URI_V4; echo; echo end");
            String arn = ecs.run("curious");
            List<String> answers = ecs.awaitLog(arn, "end").lines().toList();
            JsonNode task = EcsJson.MAPPER.readTree(answers.get(0));
            assertThat(task.path("TaskARN").asText()).isEqualTo(arn);
            assertThat(task.path("Cluster").asText()).isEqualTo(EcsFixture.CLUSTER);
            assertThat(task.path("Family").asText()).isEqualTo("curious");
            assertThat(task.path("Revision").asText()).isEqualTo("1");
            assertThat(task.path("Containers").path(0).path("Name").asText()).isEqualTo("main");
            JsonNode container = EcsJson.MAPPER.readTree(answers.get(1));
            assertThat(container.path("Limits").path("Memory").asInt()).isEqualTo(128);
        }
    }
}
