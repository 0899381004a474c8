package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TaskIdentityTest {
    @Test
    void containerReportsProcessIdOfItsHost() throws Exception {
        TaskIdentity task = read("""
                {"TaskARN":"arn:aws:ecs:r:1:task/berth/abc",
                "Containers":[{"Labels":{"dev.berth.pid":"4711"}}]}""");
        assertThat(task.pid()).isEqualTo(4711);
        assertThat(task.taskId()).isEqualTo("abc");
    }

    @Test
    void processReportsItsOwnIdWithoutLabel() throws Exception {
        TaskIdentity task = read("{\"TaskARN\":\"arn:aws:ecs:r:1:task/berth/abc\"}");
        assertThat(task.pid()).isEqualTo(ProcessHandle.current().pid());
    }

    private static TaskIdentity read(String metadata) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v4/id/task", call -> {
            byte[] body = metadata.getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(200, body.length);
            call.getResponseBody().write(body);
            call.close();
        });
        server.start();
        try {
            return TaskIdentity.read(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v4/id"));
        } finally {
            server.stop(0);
        }
    }
}
