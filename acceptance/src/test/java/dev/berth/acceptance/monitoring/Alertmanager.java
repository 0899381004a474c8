package dev.berth.acceptance.monitoring;

import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.webhook.WebhookReceiver;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** An Alertmanager with the project's configuration, which groups nothing, and its receiver. */
public record Alertmanager(Process process, int port, WebhookReceiver receiver) implements AutoCloseable {

    private record Notification(List<Alert> alerts) {}

    private record Alert(String status, Labels labels) {}

    private record Labels(String alertname) {}

    public static boolean isInstalled() throws InterruptedException {
        return FinishedCommand.isInstalled("prometheus-alertmanager");
    }

    public static Alertmanager start(Path folder) throws IOException {
        WebhookReceiver receiver = WebhookReceiver.start();
        String config = Files.readString(Monitoring.FOLDER.resolve("alertmanager.yml"))
                .replace("http://127.0.0.1:9099", receiver.url());
        return start(folder, config, receiver);
    }

    /** Starts a server with this configuration, whose waits become a second. */
    public static Alertmanager start(Path folder, String config, WebhookReceiver receiver) throws IOException {
        Files.writeString(
                folder.resolve("alertmanager.yml"), config.replaceAll("(group_wait|group_interval): \\w+", "$1: 1s"));
        int port = ApiReplica.freePort();
        Process process = new ProcessBuilder(
                        "prometheus-alertmanager",
                        "--config.file=" + folder.resolve("alertmanager.yml"),
                        "--storage.path=" + folder.resolve("alertmanager"),
                        "--cluster.listen-address=",
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("alertmanager.log").toFile())
                .start();
        RestClient server = new RestClient(URI.create("http://127.0.0.1:" + port));
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> server.call("GET", "/-/ready", null).status() == 200);
        return new Alertmanager(process, port, receiver);
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /**
     * The alarms that reached the receiver.
     *
     * @param path {@code /page} or {@code /ticket}
     * @param status {@code firing} or {@code resolved}
     */
    Set<String> received(String path, String status) throws IOException {
        Set<String> alarms = new TreeSet<>();
        for (WebhookReceiver.Call call : receiver.calls()) {
            for (Alert alert : JsonRecords.read(call.body(), Notification.class).alerts()) {
                if (call.path().equals(path) && alert.status().equals(status)) {
                    alarms.add(alert.labels().alertname());
                }
            }
        }
        return alarms;
    }

    @Override
    public void close() {
        process.destroy();
        // It writes to its folder until then.
        process.onExit().join();
        receiver.close();
    }
}
