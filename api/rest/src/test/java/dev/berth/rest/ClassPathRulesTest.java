package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassPathRulesTest {
    @Tag("X16")
    @DisplayName("REST can neither call ECS nor run a part of the orchestrator or of a gateway")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "software.amazon.awssdk.services.ecs.EcsClient",
                "dev.berth.orchestrator.OrchestratorConfiguration",
                "dev.berth.gateway.GatewayServer"
            })
    void restHasNoOtherRole(String type) {
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
    }
}
