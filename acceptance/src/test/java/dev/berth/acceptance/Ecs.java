package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** ECS as any client of its JSON protocol sees it, and the number of its hosts. */
record Ecs(Rest rest) {

    static Ecs of(Stack stack) {
        return new Ecs(stack.ecs());
    }

    void hosts(int number) throws IOException, InterruptedException {
        String body = "{\"hosts\":%d}".formatted(number);
        assertThat(rest.call("PUT", "/_control/capacity", body).status()).isEqualTo(200);
    }

    void stop(String task) throws IOException, InterruptedException {
        call("StopTask", "{\"cluster\":\"berth\",\"task\":\"%s\",\"reason\":\"test\"}".formatted(task));
    }

    JsonNode task(String task) throws IOException, InterruptedException {
        return call("DescribeTasks", "{\"cluster\":\"berth\",\"tasks\":[\"%s\"]}".formatted(task))
                .path("tasks")
                .path(0);
    }

    /** Of a stopped task; -1 before that. */
    int exitCode(String task) throws IOException, InterruptedException {
        return task(task).path("containers").path(0).path("exitCode").asInt(-1);
    }

    private JsonNode call(String action, String body) throws IOException, InterruptedException {
        Rest.Answer answer =
                rest.call("POST", "/", body, "X-Amz-Target", "AmazonEC2ContainerServiceV20141113." + action);
        assertThat(answer.status()).as("%s: %s", action, answer.body()).isEqualTo(200);
        return answer.body();
    }
}
