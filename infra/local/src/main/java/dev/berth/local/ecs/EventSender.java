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

/** Sends events to SQS in their order, from a thread of its own. While SQS is away they wait; the newest are kept. */
final class EventSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventSender.class);
    /** About ten events for every worker of the largest fleet that runs on one machine. */
    private static final int KEPT_WHILE_AWAY = 10_000;

    private static final Duration RETRY = Duration.ofMillis(200);
    /** The last events before a shutdown are the stops, which somebody may wait for. */
    private static final Duration LAST_EVENTS = Duration.ofSeconds(2);

    private final EventQueue queue;
    private final SqsClient sqs;
    private final LinkedBlockingDeque<String> events = new LinkedBlockingDeque<>(KEPT_WHILE_AWAY);
    private final Thread thread;
    private volatile boolean closing;
    private @Nullable String queueUrl;
    private boolean away;

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

    /** Never blocks; when too many wait, the oldest is dropped. */
    void send(String event) {
        while (!events.offerLast(event)) {
            LOG.warn("Dropped the oldest of {} waiting events", KEPT_WHILE_AWAY);
            events.pollFirst();
        }
    }

    /** Sends what waits, if that takes no longer than two seconds. */
    @Override
    public void close() {
        closing = true;
        if (events.isEmpty()) {
            thread.interrupt();
        }
        try {
            thread.join(LAST_EVENTS);
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
            away = false;
            return true;
        } catch (SdkException e) {
            if (!away) {
                LOG.warn("Events wait for queue {} at {}: {}", queue.queueName(), queue.endpoint(), e.getMessage());
            }
            queueUrl = null;
            away = true;
            return false;
        }
    }
}
