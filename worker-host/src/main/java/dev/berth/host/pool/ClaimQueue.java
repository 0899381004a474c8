package dev.berth.host.pool;

import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Claims as they come out of SQS. */
public final class ClaimQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimQueue.class);
    /** SQS's longest poll. */
    private static final int LONGEST_POLL_SECONDS = 20;

    private final SqsClient sqs;
    private final String url;

    public ClaimQueue(String name) {
        // A claim that came damaged is no claim, or void: nothing is gained by a sum of it, which takes 5 ms the first
        // time.
        this.sqs = SqsClient.builder().checksumValidationEnabled(false).build();
        this.url = sqs.getQueueUrl(queue -> queue.queueName(name)).queueUrl();
    }

    /** A claim, with the handle by which it is deleted. */
    record Received(ClaimMessage claim, String handle) {}

    /** Waits for a claim, at most 20 s. A message that is no claim is deleted. */
    Optional<Received> await() {
        List<Message> messages = sqs.receiveMessage(
                        receive -> receive.queueUrl(url).maxNumberOfMessages(1).waitTimeSeconds(LONGEST_POLL_SECONDS))
                .messages();
        return messages.isEmpty() ? Optional.empty() : read(messages.getFirst());
    }

    /** Looks without taking: warms the way up and back, and every message stays for its reader. */
    void look() {
        sqs.receiveMessage(receive -> receive.queueUrl(url).visibilityTimeout(0).waitTimeSeconds(0));
        ClaimMessage nobodys = new ClaimMessage(new UserId("dry"), 0, "dry", Instant.EPOCH);
        try {
            read(Message.builder()
                            .body(Json.write(nobodys))
                            .receiptHandle("dry")
                            .build())
                    .ifPresent(this::delete);
        } catch (SqsException refused) {
            LOG.debug("dry delete ended with {}", refused.getMessage());
        }
    }

    /** Lets another reader have it at once. */
    void putBack(Received received) {
        sqs.changeMessageVisibility(
                change -> change.queueUrl(url).receiptHandle(received.handle()).visibilityTimeout(0));
    }

    void delete(Received received) {
        sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(received.handle()));
    }

    private Optional<Received> read(Message message) {
        try {
            return Optional.of(new Received(Json.read(message.body(), ClaimMessage.class), message.receiptHandle()));
        } catch (IllegalArgumentException foreign) {
            LOG.warn("deleted a message that is no claim: {}", foreign.getMessage());
            sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        sqs.close();
    }
}
