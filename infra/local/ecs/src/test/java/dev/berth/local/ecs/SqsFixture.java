package dev.berth.local.ecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.local.ecs.LocalEcsOptions.EventQueue;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A real ElasticMQ on a free port, at first without the queue. */
final class SqsFixture implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SQSRestServer server =
            SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
    private final EventQueue queue = EventQueue.taskEventsAt(URI.create(
            "http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort()));
    private final SqsClient client = SqsClient.builder()
            .endpointOverride(queue.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .httpClient(UrlConnectionHttpClient.create())
            .build();

    EventQueue queue() {
        return queue;
    }

    void createQueue() {
        client.createQueue(create -> create.queueName(queue.queueName()));
    }

    /** At least {@code count} events, in order of arrival. */
    List<JsonNode> receive(int count) {
        String url = client.getQueueUrl(get -> get.queueName(queue.queueName())).queueUrl();
        List<JsonNode> events = new ArrayList<>();
        Awaitility.await().atMost(PATIENCE).until(() -> {
            client.receiveMessage(receive -> receive.queueUrl(url).maxNumberOfMessages(1))
                    .messages()
                    .forEach(message -> events.add(parse(message.body())));
            return events.size() >= count;
        });
        return events;
    }

    /** Does not wait: a half-open connection delays the end of ElasticMQ by a minute. */
    @Override
    public void close() {
        client.close();
        var _ = server.stopAndGetFuture();
    }

    private static JsonNode parse(String body) {
        try {
            return EcsJson.MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError(body, e);
        }
    }
}
