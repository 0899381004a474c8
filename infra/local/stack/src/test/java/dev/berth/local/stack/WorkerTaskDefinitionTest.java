package dev.berth.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.local.ecs.LocalEcs;
import dev.berth.local.ecs.LocalEcsOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTaskDefinitionTest {
    @Tag("A11")
    @DisplayName("A worker is 64 CPU units, 384 MB soft and 1,024 MB hard, and writes no core dump")
    @Test
    void workerSizeMatchesCloud(@TempDir Path folder) throws Exception {
        LocalEcs ecs = LocalEcs.start(LocalEcsOptions.in(folder.resolve("state"), folder.resolve("log")));
        EcsCalls calls = new EcsCalls(ecs.port());
        new WorkerTaskDefinition(List.of("java", "Worker"), Map.of("BERTH_REDIS_URI", "redis://127.0.0.1"))
                .register(calls, "berth-worker");
        JsonNode worker = calls.call("DescribeTaskDefinition", Map.of("taskDefinition", "berth-worker"))
                .path("taskDefinition")
                .path("containerDefinitions")
                .path(0);
        assertThat(worker.path("cpu").asInt()).isEqualTo(64);
        assertThat(worker.path("memoryReservation").asInt()).isEqualTo(384);
        assertThat(worker.path("memory").asInt()).isEqualTo(1024);
        assertThat(worker.path("stopTimeout").asInt()).isEqualTo(2);
        assertThat(worker.path("ulimits").path(0).toString()).contains("core", "\"softLimit\":0", "\"hardLimit\":0");
        assertThat(worker.path("entryPoint").path(1).asText()).isEqualTo("Worker");
        assertThat(worker.path("environment").path(0).path("name").asText()).isEqualTo("BERTH_REDIS_URI");
        calls.close();
        ecs.close();
    }
}
