package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.spring.boot.autoconfigure.properties.TemporalProperties;
import io.temporal.spring.boot.autoconfigure.properties.WorkerProperties;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** With the application's own configuration of its queues. */
class RolesTest {
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(TemporalProperties.class)
    @Import({Roles.class, Listener.class})
    static class RolesAlone {}

    @Conditional(Roles.Orchestrator.class)
    static class Listener {}

    private record Started(List<String> queues, boolean listens) {}

    private static Started start(String... settings) {
        try (var context = new SpringApplicationBuilder(RolesAlone.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .run(settings)) {
            List<String> queues = context.getBean(TemporalProperties.class).getWorkers().stream()
                    .map(WorkerProperties::getTaskQueue)
                    .toList();
            return new Started(queues, context.getBeanProvider(Listener.class).getIfAvailable() != null);
        }
    }

    @Tag("B7")
    @DisplayName("A process runs only the queues and listeners of its roles")
    @Test
    void processRunsOnlyItsRoles() {
        assertThat(start()).isEqualTo(new Started(List.of("orders", "fleet", "launch", "webhooks"), true));
        assertThat(start("--berth.roles=api")).isEqualTo(new Started(List.of("orders"), false));
        assertThat(start("--berth.roles=orchestrator"))
                .isEqualTo(new Started(List.of("fleet", "launch", "webhooks"), true));
        assertThat(start("--berth.roles=orchestrator,api")).isEqualTo(start());
        assertThat(start("--berth.roles=gateway")).isEqualTo(new Started(List.of(), false));
    }
}
