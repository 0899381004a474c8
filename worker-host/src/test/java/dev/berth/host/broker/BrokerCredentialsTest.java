package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BrokerCredentialsTest {
    @Test
    void printsAsNothing() {
        assertThat(new BrokerCredentials("key", "secret")).hasToString("");
    }
}
