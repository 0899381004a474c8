package dev.berth.host.pool;

import dev.berth.local.stack.LocalSqs;
import dev.berth.workflows.Json;
import dev.berth.workflows.pool.ClaimMessage;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A real ElasticMQ, to which the SDK's standard settings point. */
final class TestSqs implements AutoCloseable {
    private final LocalSqs server = LocalSqs.start(0);
    private final SqsClient client = server.client();
    private final String url =
            client.getQueueUrl(get -> get.queueName("pool-claim")).queueUrl();
    private final Map<String, String> settings = Map.of(
            "aws.endpointUrlSqs", server.endpoint().toString(),
            "aws.region", "us-east-1",
            "aws.accessKeyId", "local",
            "aws.secretAccessKey", "local");

    TestSqs() {
        settings.forEach(System::setProperty);
    }

    void send(ClaimMessage claim) {
        send(Json.write(claim));
    }

    void send(String body) {
        client.sendMessage(send -> send.queueUrl(url).messageBody(body));
    }

    /** Neither visible nor in flight. */
    boolean isEmpty() {
        return client
                .getQueueAttributes(get -> get.queueUrl(url)
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .attributes()
                .values()
                .stream()
                .allMatch("0"::equals);
    }

    @Override
    public void close() {
        settings.keySet().forEach(System::clearProperty);
        client.close();
        server.close();
    }
}
