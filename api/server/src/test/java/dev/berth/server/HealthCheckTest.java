package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;

class HealthCheckTest {
    @Test
    void isHealthyWhileReadinessAnswers200() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ready", call -> {
            call.sendResponseHeaders(200, -1);
            call.close();
        });
        server.createContext("/down", call -> {
            call.sendResponseHeaders(503, -1);
            call.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        assertThat(HealthCheck.isReady(URI.create(address + "/ready"))).isTrue();
        assertThat(HealthCheck.isReady(URI.create(address + "/down"))).isFalse();
        server.stop(0);
        assertThat(HealthCheck.isReady(URI.create(address + "/ready"))).isFalse();
    }
}
