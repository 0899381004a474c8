package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.local.stack.LocalSqs;
import dev.berth.process.settings.Role;
import dev.berth.routing.TestRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.RestController;

/** One process with the role orchestrator alone, on real servers. */
class OrchestratorAloneTest {
    private static final byte[] KEY = new byte[32];
    private static final Map<String, String> AWS =
            Map.of("aws.region", "us-east-1", "aws.accessKeyId", "local", "aws.secretAccessKey", "local");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private LocalSqs sqs;
    private ConfigurableApplicationContext process;

    @BeforeEach
    void start() throws IOException {
        sqs = LocalSqs.start(0);
        AWS.forEach(System::setProperty);
        System.setProperty("aws.endpointUrlSqs", sqs.endpoint().toString());
        byte[] codec = ("2026-01-01T00:00:00Z " + Base64.getEncoder().encodeToString(KEY) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        process = BerthApplication.of(Set.of(Role.ORCHESTRATOR))
                .run(
                        "--server.port=0",
                        "--management.server.port=0",
                        "--berth.roles=orchestrator",
                        "--berth.redis-uri=" + redis.uri(),
                        "--berth.auth.key-file=" + keyFile("token", KEY),
                        "--berth.accounts.key-file=" + keyFile("accounts", KEY),
                        "--berth.codec.key-file=" + keyFile("codec", codec),
                        "--spring.datasource.url=" + ((PGSimpleDataSource) postgres.database()).getURL()
                                + "&user=berth_api",
                        "--spring.flyway.enabled=false",
                        "--spring.main.banner-mode=off",
                        "--spring.temporal.test-server.enabled=true");
    }

    private Path keyFile(String name, byte[] content) throws IOException {
        Path file = Files.write(folder.resolve(name + ".key"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void stop() {
        process.close();
        sqs.close();
        AWS.keySet().forEach(System::clearProperty);
        System.clearProperty("aws.endpointUrlSqs");
    }

    private int status(String port, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + process.getEnvironment().getProperty(port) + path);
        return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
                .statusCode();
    }

    @Tag("B7")
    @DisplayName("An orchestrator serves health and metrics, and no call of REST")
    @Test
    void servesNoRest() throws Exception {
        assertThat(process.getBeansWithAnnotation(RestController.class)).isEmpty();
        assertThat(status("local.management.port", "/actuator/health/liveness")).isEqualTo(200);
        assertThat(status("local.management.port", "/actuator/prometheus")).isEqualTo(200);
        for (String path : new String[] {"/", "/v1/orders/o-1", "/v1/fleet", "/codec/decode", "/v3/api-docs"}) {
            assertThat(status("local.server.port", path)).as(path).isEqualTo(404);
        }
    }
}
