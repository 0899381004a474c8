package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.process.settings.Role;
import dev.berth.routing.TestRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.RestController;

/** One process with the role orchestrator alone, on real servers. */
class OrchestratorAloneTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private TestProcess servers;
    private ConfigurableApplicationContext process;

    @BeforeEach
    void start() throws IOException {
        servers = new TestProcess(postgres, redis, folder, new byte[32]);
        process = servers.start(Role.ORCHESTRATOR);
    }

    @AfterEach
    void stop() {
        servers.close();
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
