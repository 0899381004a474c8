package dev.berth.activities.worker;

import static dev.berth.activities.Samples.ACCOUNT;
import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestRedis;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporalWorkerRequestsTest {
    private static TestRedis redis;

    private TestWorkflowEnvironment temporal;

    @BeforeAll
    static void startRedis(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void start() {
        redis.forgetEverything();
        TestEnvironmentOptions.Builder options = TestEnvironmentOptions.newBuilder();
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        temporal = TestWorkflowEnvironment.newInstance(options.build());
    }

    @AfterEach
    void stop() {
        temporal.close();
    }

    private TemporalWorkerRequests requests(RedisCommands<String, String> with) {
        return new TemporalWorkerRequests(temporal.getWorkflowClient(), with);
    }

    @DisplayName("E4 many requests for a user's worker become one a second")
    @Test
    void oneASecondGetsThrough() {
        TemporalWorkerRequests requests = requests(redis.commands());
        for (int i = 0; i < 20; i++) {
            requests.ensure(ALICE, ACCOUNT);
        }
        assertThat(signalsTo(ALICE)).isEqualTo(1);
        requests.ensure(BOB, ACCOUNT);
        assertThat(signalsTo(BOB)).isEqualTo(1);

        Awaitility.await().until(() -> redis.commands().exists(RedisKeys.ensured(ALICE)) == 0);
        requests.ensure(ALICE, ACCOUNT);
        requests.ensure(ALICE, ACCOUNT);
        assertThat(signalsTo(ALICE)).isEqualTo(2);
    }

    @Test
    void withoutRedisEveryRequestGetsThrough() {
        TemporalWorkerRequests requests = requests(redis.away());
        requests.ensure(ALICE, ACCOUNT);
        requests.ensure(ALICE, ACCOUNT);
        assertThat(signalsTo(ALICE)).isEqualTo(2);
    }

    private long signalsTo(UserId userId) {
        WorkflowClient client = temporal.getWorkflowClient();
        return client.fetchHistory(WorkflowIds.worker(userId)).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .filter(event -> event.getWorkflowExecutionSignaledEventAttributes()
                        .getSignalName()
                        .equals("ensure"))
                .count();
    }
}
