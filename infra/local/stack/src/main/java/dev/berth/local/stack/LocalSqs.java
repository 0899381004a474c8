package dev.berth.local.stack;

import dev.berth.workflows.deployment.QueueLimits;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** ElasticMQ on 127.0.0.1 with Berth's queues. Messages stay in memory: a restart voids claims. */
public final class LocalSqs implements AutoCloseable {
    private final SQSRestServer server;
    private final int port;

    private LocalSqs(SQSRestServer server) {
        this.server = server;
        this.port = server.waitUntilStarted().localAddress().getPort();
    }

    /**
     * Starts ElasticMQ and returns when the queues exist.
     *
     * @param port 0 takes a free one
     */
    public static LocalSqs start(int port) {
        return start(port, Set.of());
    }

    /** @param groups of users whose claims have a queue of their own */
    static LocalSqs start(int port, Set<String> groups) {
        LocalSqs sqs = new LocalSqs(
                SQSRestServerBuilder.withInterface("127.0.0.1").withPort(port).start());
        try (SqsClient client = sqs.client()) {
            create(client, "pool-claim", QueueLimits.POOL_CLAIM);
            groups.forEach(group -> create(client, "pool-claim-" + group, QueueLimits.POOL_CLAIM));
            create(client, "task-events", QueueLimits.TASK_EVENTS);
        }
        return sqs;
    }

    private static void create(SqsClient client, String name, QueueLimits limits) {
        Map<QueueAttributeName, String> attributes = Map.of(
                QueueAttributeName.VISIBILITY_TIMEOUT,
                        Long.toString(limits.visibility().toSeconds()),
                QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                        Long.toString(limits.retention().toSeconds()));
        client.createQueue(queue -> queue.queueName(name).attributes(attributes));
    }

    public int port() {
        return port;
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** A client of this server. */
    public SqsClient client() {
        return SqsClient.builder()
                .endpointOverride(endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** Does not wait: a half-open connection delays the end of ElasticMQ by a minute. */
    @Override
    public void close() {
        var _ = server.stopAndGetFuture();
    }
}
