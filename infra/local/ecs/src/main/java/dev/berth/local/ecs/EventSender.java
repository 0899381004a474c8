package dev.berth.local.ecs;

import dev.berth.local.ecs.LocalEcsOptions.EventQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends events to SQS in order on a thread of its own. Keeps the newest while SQS is unreachable.
 */
final class EventSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventSender.class);
    /** About ten events for every worker of the largest fleet that runs on one machine. */
    private static final int BUFFER_SIZE = 10_000;

    private static final Duration RETRY = Duration.ofMillis(200);
    /** The last events before a shutdown report stopped tasks, which a client may wait for. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final EventQueue queue;
    private final SqsClient sqs;
    private final LinkedBlockingDeque<String> events = new LinkedBlockingDeque<>(BUFFER_SIZE);
    private final Thread thread;
    private volatile boolean closing;
    private @Nullable String queueUrl;
    private boolean unreachable;

    EventSender(EventQueue queue) {
        this.queue = queue;
        sqs = SqsClient.builder()
                .endpointOverride(queue.endpoint())
                .region(Region.of(Arn.REGION))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClient(UrlConnectionHttpClient.create())
                .overrideConfiguration(configuration -> configuration.apiCallTimeout(Duration.ofSeconds(5)))
                .build();
        thread = Thread.ofPlatform().daemon().name("ecs-events").start(this::sendAll);
    }

    /** Never blocks; drops the oldest event if the buffer is full. */
    void send(String event) {
        while (!events.offerLast(event)) {
            LOG.warn("Dropped the oldest of {} waiting events", BUFFER_SIZE);
            events.pollFirst();
        }
    }

    /** Sends the buffered events for two seconds at most. */
    @Override
    public void close() {
        closing = true;
        if (events.isEmpty()) {
            thread.interrupt();
        }
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        sqs.close();
    }

    private void sendAll() {
        try {
            while (!closing || !events.isEmpty()) {
                String event = events.takeFirst();
                while (!delivered(event)) {
                    Thread.sleep(RETRY);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean delivered(String event) {
        try {
            String url = Optional.ofNullable(queueUrl)
                    .orElseGet(() -> sqs.getQueueUrl(get -> get.queueName(queue.queueName()))
                            .queueUrl());
            sqs.sendMessage(message -> message.queueUrl(url).messageBody(event));
            queueUrl = url;
            unreachable = false;
            return true;
        } catch (SdkException e) {
            if (!unreachable) {
                LOG.warn(
                        "Queue {} at {} is unreachable, events are buffered: {}",
                        queue.queueName(),
                        queue.endpoint(),
                        e.getMessage());
            }
            queueUrl = null;
            unreachable = true;
            return false;
        }
    }
}
