package dev.berth.process;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class TlsRequirementTest {
    private static Environment with(String... settings) {
        Map<String, Object> values = Stream.of(settings)
                .map(setting -> setting.split("=", 2))
                .collect(toMap(setting -> setting[0], setting -> setting[1]));
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("settings", values));
        return environment;
    }

    @ParameterizedTest
    @DisplayName("A server on another machine without TLS fails the start, with the setting and a remedy")
    @CsvSource({
        "berth.redis-uri=redis://cache.example:6379, rediss:",
        "berth.redis-uri=redis://10.0.0.7, rediss:",
        "spring.temporal.connection.target=temporal.example:7233, enable-https=true",
        "spring.datasource.url=jdbc:postgresql://db.example/berth, sslmode=verify-full",
        "spring.datasource.url=jdbc:postgresql://db.example/berth?sslmode=require, sslmode=verify-full",
        "'spring.datasource.url=jdbc:postgresql://127.0.0.1,db.example/berth', sslmode=verify-full",
        "AWS_ENDPOINT_URL_SQS=http://sqs.example, AWS_ENDPOINT_URL_SQS with https:"
    })
    void plaintextToAnotherMachineFails(String setting, String remedy) {
        assertThatThrownBy(() -> TlsRequirement.check(with(setting), Optional.empty()))
                .hasMessageContaining(remedy)
                .hasMessageContaining("berth.tls.required=false");
        TlsRequirement.check(with(setting, "berth.tls.required=false"), Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "berth.redis-uri=rediss://cache.example:6379",
                "berth.redis-uri=redis://127.0.0.1:16379",
                "berth.redis-uri=redis://[::1]:16379",
                "spring.temporal.connection.target=localhost:7233",
                "spring.datasource.url=jdbc:postgresql://db.example/berth?sslmode=verify-full",
                "spring.datasource.url=jdbc:postgresql://127.0.0.1:15432/berth",
                "AWS_ENDPOINT_URL_SQS=https://sqs.example",
                "AWS_ENDPOINT_URL_SQS=http://localhost:19324"
            })
    void tlsAndLoopbackAreAccepted(String setting) {
        assertThatNoException().isThrownBy(() -> TlsRequirement.check(with(setting), Optional.empty()));
    }

    @Test
    void apiKeyOfTemporalMeansTls() {
        assertThatNoException()
                .isThrownBy(() -> TlsRequirement.check(
                        with(
                                "spring.temporal.connection.target=cloud.example:7233",
                                "spring.temporal.connection.api-key=secret"),
                        Optional.empty()));
    }

    @Test
    void profileOfTemporalNeedsTls() {
        String springs = "spring.temporal.connection.target=127.0.0.1:7233";
        Map<String, String> plain = Map.of("TEMPORAL_ADDRESS", "temporal.example:7233");
        assertThatThrownBy(() -> TlsRequirement.check(with(springs), TemporalProfile.of(plain)))
                .hasMessageContaining("TEMPORAL_TLS=true");
        Map<String, String> tls = Map.of("TEMPORAL_ADDRESS", "temporal.example:7233", "TEMPORAL_TLS", "true");
        TlsRequirement.check(with(springs), TemporalProfile.of(tls));
    }
}
