package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.workflows.worker.TaskArns;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "alice-2", "a23456789-123456789-123456789-123456789-123456789-123456789-123"})
    void validUserIdsAreAccepted(String id) {
        assertThat(new UserId(id)).hasToString(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "Alice",
                "a:b",
                "alice-control",
                "a b",
                "a\n",
                "é",
                "u-bob",
                "u-1x65iqi2yjjissgzafy2644yb6ldf56qbtotke4pidlr7mriv2lj",
                "a23456789-123456789-123456789-123456789-123456789-123456789-1234"
            })
    void noUserIds(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> new UserId(id)).withMessageContaining("1 to 63");
    }

    @Test
    void clientOrderIds() {
        for (String id : List.of("A", "a.b_c-9", "...", ".a", "x".repeat(64))) {
            assertThat(new ClientOrderId(id)).hasToString(id);
        }
        for (String id : List.of("", "a b", "a:b", "a/b", "x".repeat(65), "ä", "a\n", ".", "..")) {
            assertThatIllegalArgumentException()
                    .as(id)
                    .isThrownBy(() -> new ClientOrderId(id))
                    .withMessageContaining("1 to 64");
        }
    }

    @Test
    @Tag("X31")
    @DisplayName("A workflow id that was typed by hand is no order's")
    void whichOrderItIs() {
        assertThat(WorkflowIds.order("order:alice:o-1"))
                .hasValue(new WorkflowIds.OrderId(Samples.ALICE, new ClientOrderId("o-1")));
        for (String id : List.of("order:Alice:o-1", "order:alice:my order", "order:alice:..", "order:alice", "pool")) {
            assertThat(WorkflowIds.order(id)).as(id).isEmpty();
        }
    }

    @Test
    void whoseLifecycleItIs() {
        assertThat(WorkflowIds.userOfWorker(WorkflowIds.worker(Samples.ALICE))).hasValue(Samples.ALICE);
        for (String other : List.of("worker:", "worker:Alice", "worker:alice:x", "order:alice:o-1", "pool", "")) {
            assertThat(WorkflowIds.userOfWorker(other)).as(other).isEmpty();
        }
    }

    @Test
    void whoseHeartbeatItIs() {
        assertThat(RedisKeys.userOfHeartbeat(RedisKeys.heartbeat(Samples.ALICE)))
                .hasValue(Samples.ALICE);
        assertThat(RedisKeys.isPoolHeartbeat(RedisKeys.heartbeat(Samples.ALICE)))
                .isFalse();
        assertThat(RedisKeys.isPoolHeartbeat(RedisKeys.poolHeartbeat("task-1"))).isTrue();
        for (String other : List.of(RedisKeys.poolHeartbeat("task-1"), "worker:epoch:alice", "worker:active:", "-1")) {
            assertThat(RedisKeys.userOfHeartbeat(other)).as(other).isEmpty();
        }
    }

    @Test
    void idsAreStringsInJson() {
        assertThat(Json.write(List.of(Samples.ALICE, new ClientOrderId("o-1")))).isEqualTo("[\"alice\",\"o-1\"]");
        assertThat(Json.read("\"alice\"", UserId.class)).isEqualTo(Samples.ALICE);
    }

    @Test
    void namesMadeOfThem() {
        assertThat(WorkflowIds.order(Samples.ALICE, new ClientOrderId("o-1"))).isEqualTo("order:alice:o-1");
        assertThat(WorkflowIds.worker(Samples.ALICE)).isEqualTo("worker:alice");
        assertThat(TaskQueues.ordersOf(Samples.ALICE)).isEqualTo("user-alice");
        assertThat(TaskQueues.controlOf(Samples.ALICE)).isEqualTo("user-alice-control");
        assertThat(RedisKeys.heartbeat(Samples.ALICE)).isEqualTo("worker:active:alice");
        assertThat(RedisKeys.poolHeartbeat("t1")).isEqualTo("worker:active:-1:t1");
        assertThat(TaskArns.id("arn:aws:ecs:eu-central-1:1:task/berth/t1")).isEqualTo("t1");
    }

    @Test
    @Tag("T3")
    @DisplayName("A close's workflows name its user, whose key encrypts their payloads, whatever the idempotency key")
    void closeNamesItsUser() {
        String close = WorkflowIds.closePositions(Samples.ALICE, Samples.PAPER, "a:b/c \u20ac");
        assertThat(close).matches("close:alice:alpaca/equity/paper/paper:[0-9a-f]{32}");
        assertThat(WorkflowIds.user(close)).hasValue(Samples.ALICE);
        assertThat(WorkflowIds.user(WorkflowIds.exclusiveClose(Samples.ALICE, Samples.PAPER)))
                .hasValue(Samples.ALICE);
    }
}
