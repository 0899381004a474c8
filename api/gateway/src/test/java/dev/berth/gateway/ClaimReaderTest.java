package dev.berth.gateway;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestMoto;
import dev.berth.local.stack.LocalSqs;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class ClaimReaderTest {
    private static final UserGroup GOLD = new UserGroup("gold");

    private final LocalSqs server = LocalSqs.start(0);
    private final SqsClient sqs = server.client();
    private final List<ClaimMessage> received = new CopyOnWriteArrayList<>();
    private final List<ClaimResult> results = new CopyOnWriteArrayList<>();
    private final ClaimReader reader = reader(sqs);

    @AfterEach
    void stop() {
        reader.close();
        sqs.close();
        server.close();
    }

    private ClaimReader reader(SqsClient client) {
        return new ClaimReader(client, "pool-claim", new GatewayListener() {
            @Override
            public void refused(String method, Refusal reason) {}

            @Override
            public void claim(ClaimResult result) {
                results.add(result);
            }
        });
    }

    private static ClaimMessage claim(UserId userId, Instant sentAt) {
        return new ClaimMessage(userId, 7, "task-1", sentAt);
    }

    private static ClaimMessage claim(UserId userId) {
        return claim(userId, Instant.now());
    }

    private static String url(SqsClient client, String queue) {
        return client.getQueueUrl(get -> get.queueName(queue)).queueUrl();
    }

    private static void send(SqsClient client, String queue, String body) {
        client.sendMessage(send -> send.queueUrl(url(client, queue)).messageBody(body));
    }

    /** No message is left, whether read or not. */
    private static boolean isEmpty(SqsClient client, String queue) {
        Map<QueueAttributeName, String> left = client.getQueueAttributes(
                        get -> get.queueUrl(url(client, queue)).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return "0".equals(left.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                && "0".equals(left.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    @Tag("A4")
    @DisplayName("A claim goes to the gateway, and is deleted")
    @Test
    void claimGoesToGateway() {
        reader.read(UserGroup.DEFAULT, received::add);
        ClaimMessage claim = claim(ALICE);
        send(sqs, "pool-claim", Json.write(claim));
        Awaitility.await().until(() -> received.contains(claim));
        Awaitility.await().until(() -> isEmpty(sqs, "pool-claim"));
        assertThat(received).hasSize(1);
    }

    @Tag("A4")
    @DisplayName("A gateway reads and deletes claims at an SQS that is not Berth's own")
    @Test
    void readsAtMoto() throws Exception {
        try (TestMoto moto = TestMoto.start()) {
            moto.sqs().createQueue(create -> create.queueName("pool-claim"));
            try (ClaimReader there = reader(moto.sqs())) {
                there.read(UserGroup.DEFAULT, received::add);
                ClaimMessage claim = claim(ALICE);
                send(moto.sqs(), "pool-claim", Json.write(claim));
                Awaitility.await().until(() -> received.contains(claim));
                Awaitility.await().until(() -> isEmpty(moto.sqs(), "pool-claim"));
            }
        }
    }

    @Tag("D5")
    @DisplayName("A group's claims are read once its queue exists, and from no other queue")
    @Test
    void groupsHaveQueuesOfTheirOwn() {
        reader.read(GOLD, received::add);
        sqs.createQueue(create -> create.queueName("pool-claim-gold"));
        send(sqs, "pool-claim", Json.write(claim(BOB)));
        ClaimMessage golden = claim(ALICE);
        send(sqs, "pool-claim-gold", Json.write(golden));
        Awaitility.await().until(() -> received.contains(golden));
        assertThat(received).containsExactly(golden);
        assertThat(isEmpty(sqs, "pool-claim")).isFalse();
    }

    @Tag("B6")
    @DisplayName("A claim older than 5 min and a message that is none are deleted and counted")
    @Test
    void deletesWhatIsNoValidClaim() {
        send(sqs, "pool-claim", Json.write(claim(ALICE, Instant.now().minusSeconds(301))));
        send(sqs, "pool-claim", "{\"hello\":\"world\"}");
        send(sqs, "pool-claim", "no JSON at all");
        reader.read(UserGroup.DEFAULT, received::add);
        Awaitility.await().until(() -> isEmpty(sqs, "pool-claim"));
        assertThat(results).containsExactlyInAnyOrder(ClaimResult.OLD, ClaimResult.UNREADABLE, ClaimResult.UNREADABLE);
        assertThat(received).isEmpty();
    }

    @Tag("X4")
    @DisplayName("A claim that could not be handed over comes again")
    @Test
    void failedClaimComesAgain() {
        sqs.setQueueAttributes(set ->
                set.queueUrl(url(sqs, "pool-claim")).attributes(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "1")));
        reader.read(UserGroup.DEFAULT, claim -> {
            received.add(claim);
            if (received.size() == 1) {
                throw new IllegalStateException("Redis is unavailable");
            }
        });
        send(sqs, "pool-claim", Json.write(claim(ALICE)));
        Awaitility.await().until(() -> received.size() >= 2);
        Awaitility.await().until(() -> isEmpty(sqs, "pool-claim"));
    }
}
