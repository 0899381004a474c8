package dev.berth.gateway;

import dev.berth.workflows.Json;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Claims as they come over SQS, each group's over a queue of its own. */
public final class ClaimReader implements ClaimSource {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimReader.class);
    /** The polls that read each queue: one is always open while another's answer is on its way. */
    private static final int LOOPS = 2;
    /** SQS's most. */
    private static final int MESSAGES = 10;
    /** SQS's longest. */
    private static final int POLL_SECONDS = 20;
    /** After a failed poll; up to twice as long, so that gateways do not retry in step. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final SqsClient sqs;
    private final String shared;
    private final GatewayListener listener;
    private final Set<UserGroup> groups = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("claims-", 0).factory());

    /**
     * Reads nothing yet.
     *
     * @param shared name of the default group's queue
     */
    public ClaimReader(SqsClient sqs, String shared, GatewayListener listener) {
        this.sqs = sqs;
        this.shared = shared;
        this.listener = listener;
    }

    @Override
    public void read(UserGroup group, Consumer<ClaimMessage> gateway) {
        if (groups.add(group)) {
            String queue = PoolNames.claimQueue(shared, group);
            for (int loop = 0; loop < LOOPS; loop++) {
                threads.execute(() -> read(queue, gateway));
            }
        }
    }

    /** Logs once for each outage. */
    private void read(String queue, Consumer<ClaimMessage> gateway) {
        String url = null;
        boolean isUnavailable = false;
        while (closing.getCount() > 0) {
            try {
                if (url == null) {
                    url = sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
                }
                receive(url, gateway);
                if (isUnavailable) {
                    LOG.info("claims are read from {} again", queue);
                }
                isUnavailable = false;
            } catch (RuntimeException unavailable) {
                if (!isUnavailable) {
                    LOG.warn("no claims are read from {} until SQS answers: {}", queue, unavailable.getMessage());
                }
                isUnavailable = true;
                pause();
            }
        }
    }

    /** Goes on to receive while it hands over: a user waits for each claim. */
    private void receive(String url, Consumer<ClaimMessage> gateway) {
        sqs.receiveMessage(receive ->
                        receive.queueUrl(url).maxNumberOfMessages(MESSAGES).waitTimeSeconds(POLL_SECONDS))
                .messages()
                .forEach(message -> threads.execute(() -> handle(url, message, gateway)));
    }

    /** What was not handed over is not deleted: SQS delivers it again. */
    private void handle(String url, Message message, Consumer<ClaimMessage> gateway) {
        try {
            handOver(message.body(), gateway);
            sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
        } catch (RuntimeException unavailable) {
            LOG.warn("a claim is not handed over or not deleted: {}", unavailable.getMessage());
        }
    }

    private void handOver(String body, Consumer<ClaimMessage> gateway) {
        ClaimMessage claim;
        try {
            claim = Json.read(body, ClaimMessage.class);
        } catch (IllegalArgumentException unreadable) {
            LOG.warn("a message is no claim: {}", unreadable.getMessage());
            listener.claim(ClaimResult.UNREADABLE);
            return;
        }
        if (claim.isValid(Instant.now())) {
            gateway.accept(claim);
        } else {
            LOG.info("a claim for {} with epoch {} is too old", claim.userId(), claim.epoch());
            listener.claim(ClaimResult.OLD);
        }
    }

    private void pause() {
        try {
            long millis = PAUSE.toMillis() + ThreadLocalRandom.current().nextLong(PAUSE.toMillis());
            var _ = closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does not wait: an open poll may last 20 s more. */
    @Override
    public void close() {
        closing.countDown();
    }
}
