package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.orchestrator.OrchestratorConfiguration;
import dev.berth.process.ProcessConfiguration;
import dev.berth.process.settings.Role;
import dev.berth.rest.RestConfiguration;
import dev.berth.server.gateway.GatewayConfiguration;
import dev.berth.server.gateway.GatewayProcess;
import io.temporal.spring.boot.autoconfigure.properties.TemporalProperties;
import io.temporal.spring.boot.autoconfigure.properties.WorkerProperties;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** With the application's own configuration of its queues. */
class RolesTest {
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(TemporalProperties.class)
    @Import(RoleQueues.class)
    static class QueuesAlone {}

    private static List<String> queues(String... settings) {
        try (var context = new SpringApplicationBuilder(QueuesAlone.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .run(settings)) {
            return context.getBean(TemporalProperties.class).getWorkers().stream()
                    .map(WorkerProperties::getTaskQueue)
                    .toList();
        }
    }

    @Tag("B7")
    @DisplayName("A process runs only the queues of its roles")
    @Test
    void processRunsOnlyItsQueues() {
        assertThat(queues()).containsExactly("orders", "fleet", "launch", "webhooks");
        assertThat(queues("--berth.roles=api")).containsExactly("orders");
        assertThat(queues("--berth.roles=orchestrator")).containsExactly("fleet", "launch", "webhooks");
        assertThat(queues("--berth.roles=orchestrator,api")).isEqualTo(queues());
        assertThat(queues("--berth.roles=gateway")).isEmpty();
    }

    private static Set<Object> parts(Role... roles) {
        Set<Object> all = new HashSet<>(BerthApplication.of(Set.of(roles)).getAllSources());
        all.removeAll(Set.of(BerthApplication.class, RoleQueues.class));
        return all;
    }

    @Tag("B7")
    @DisplayName("A process has the parts of its roles alone; a gateway alone has no connection but its own")
    @Test
    void processHasOnlyItsParts() {
        assertThat(parts(Role.API)).isEqualTo(Set.of(ProcessConfiguration.class, RestConfiguration.class));
        assertThat(parts(Role.ORCHESTRATOR))
                .isEqualTo(Set.of(ProcessConfiguration.class, WithoutRest.class, OrchestratorConfiguration.class));
        assertThat(parts(Role.GATEWAY))
                .isEqualTo(Set.of(GatewayProcess.class, WithoutRest.class, GatewayConfiguration.class));
        assertThat(parts(Role.API, Role.ORCHESTRATOR, Role.GATEWAY))
                .isEqualTo(Set.of(
                        ProcessConfiguration.class,
                        RestConfiguration.class,
                        OrchestratorConfiguration.class,
                        GatewayConfiguration.class));
    }

    @Tag("B7")
    @DisplayName("Roles that a file sets, when the parts are chosen already, fail the start")
    @Test
    void rolesOfFileFailStart() {
        SpringApplication application = BerthApplication.of(Set.of(Role.API));
        application.setDefaultProperties(Map.of("berth.roles", "orchestrator"));
        application.setBannerMode(Banner.Mode.OFF);
        assertThatThrownBy(application::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BERTH_ROLES");
    }
}
