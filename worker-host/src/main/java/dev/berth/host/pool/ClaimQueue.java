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

/** Receives claims from SQS. */
public final class ClaimQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimQueue.class);
    /** SQS's longest poll. */
    private static final int LONGEST_POLL_SECONDS = 20;

    private final SqsClient sqs;
    private final String url;

    public ClaimQueue(String name) {
        // A damaged claim is unreadable or void anyway; the first checksum would take 5 ms.
        this.sqs = SqsClient.builder().checksumValidationEnabled(false).build();
        this.url = sqs.getQueueUrl(queue -> queue.queueName(name)).queueUrl();
    }

    /** A claim, with the handle by which it is deleted. */
    record Received(ClaimMessage claim, String handle) {}

    /** Waits for a claim, at most 20 s. Deletes a message that is no claim. */
    Optional<Received> await() {
        List<Message> messages = sqs.receiveMessage(
                        receive -> receive.queueUrl(url).maxNumberOfMessages(1).waitTimeSeconds(LONGEST_POLL_SECONDS))
                .messages();
        return messages.isEmpty() ? Optional.empty() : read(messages.getFirst());
    }

    /** Opens the connection and loads classes without taking a message: all stay visible. */
    void warmUp() {
        sqs.receiveMessage(receive -> receive.queueUrl(url).visibilityTimeout(0).waitTimeSeconds(0));
        ClaimMessage sample = new ClaimMessage(new UserId("warm-up"), 0, "warm-up", Instant.EPOCH);
        try {
            read(Message.builder()
                            .body(Json.write(sample))
                            .receiptHandle("warm-up")
                            .build())
                    .ifPresent(this::delete);
        } catch (SqsException refused) {
            LOG.debug("the warm-up's delete ended with {}", refused.getMessage());
        }
    }

    /** Makes the claim visible to other readers at once. */
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
        } catch (IllegalArgumentException unreadable) {
            LOG.warn("deleted a message that is no claim: {}", unreadable.getMessage());
            sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        sqs.close();
    }
}
