package dev.berth.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The server reads each line as key = JSON value, and fails to start on an invalid one. */
class DynamicConfigTest {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static List<String> lines() throws Exception {
        try (var file = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(
                        DynamicConfigTest.class.getResourceAsStream("/temporal/dynamic-config.properties")),
                StandardCharsets.UTF_8))) {
            return file.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    void everyLineIsAKeyAndAJsonValue() throws Exception {
        assertThat(lines()).isNotEmpty().allSatisfy(line -> {
            assertThat(line).matches("[a-z]+(\\.[a-zA-Z0-9]+)+=\\S+");
            JsonNode value = JSON.readTree(line.substring(line.indexOf('=') + 1));
            assertThat(value.isNumber() || value.isBoolean() || value.isTextual())
                    .isTrue();
        });
    }

    @DisplayName("Keys that the latency depends on are set once")
    @Test
    void setsKeysOnce() throws Exception {
        Map<String, String> values = new TreeMap<>();
        for (String line : lines()) {
            String[] parts = line.split("=", 2);
            assertThat(values.put(parts[0], parts[1])).isNull();
        }
        assertThat(values)
                .containsEntry("history.transferProcessorMaxPollRPS", "5000")
                .containsEntry("history.transferProcessorMaxPollHostRPS", "5000")
                .containsEntry("matching.numTaskqueueReadPartitions", "1")
                .containsEntry("matching.numTaskqueueWritePartitions", "1")
                .containsEntry("matching.autoEnableV2", "true")
                .containsEntry("frontend.enableCancelWorkerPollsOnShutdown", "true")
                .containsEntry("frontend.MaxConcurrentBatchOperationPerNamespace", "10")
                .containsEntry("frontend.visibilityMaxPageSize", "10000")
                .containsEntry("system.forceSearchAttributesCacheRefreshOnRead", "false");
    }
}
