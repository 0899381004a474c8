package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** ECS as any client of its JSON protocol sees it, and the number of its hosts. */
record Ecs(Rest rest) {

    static Ecs of(Stack stack) {
        return new Ecs(stack.ecs());
    }

    void hosts(int number) throws IOException, InterruptedException {
        String body = "{\"hosts\":%d}".formatted(number);
        assertThat(rest.call("PUT", "/_control/capacity", body).status()).isEqualTo(200);
    }

    /** What goes wrong from now on; {@code {}} is nothing. */
    void faults(String json) throws IOException, InterruptedException {
        assertThat(rest.call("PUT", "/_control/faults", json).status()).isEqualTo(200);
    }

    /** Stops what was to stop while stops were ignored. */
    void stopAgain() throws IOException, InterruptedException {
        for (JsonNode arn : stopped()) {
            stop(arn.asText());
        }
    }

    /** Ids of the tasks that are not stopped. */
    List<String> running() throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        for (JsonNode arn : call("ListTasks", "{\"cluster\":\"berth\"}").path("taskArns")) {
            ids.add(taskId(arn));
        }
        return ids;
    }

    /** Of whatever names its task: a worker, or a task itself. */
    static String idOf(JsonNode named) {
        return taskId(named.path("taskArn"));
    }

    private static String taskId(JsonNode arn) {
        return arn.asText().substring(arn.asText().lastIndexOf('/') + 1);
    }

    /**
     * Makes a new revision of the workers' task definition, with one more environment variable.
     *
     * @return the definition before, as {@link #register} takes it
     */
    JsonNode define(String variable, String value) throws IOException, InterruptedException {
        JsonNode before = definition();
        JsonNode next = before.deepCopy();
        ((ArrayNode) next.path("containerDefinitions").path(0).path("environment"))
                .addObject()
                .put("name", variable)
                .put("value", value);
        register(next);
        return before;
    }

    /** The newest revision, by which workers are started. */
    JsonNode definition() throws IOException, InterruptedException {
        return call("DescribeTaskDefinition", "{\"taskDefinition\":\"berth-worker\"}")
                .path("taskDefinition");
    }

    void register(JsonNode definition) throws IOException, InterruptedException {
        call("RegisterTaskDefinition", definition.toString());
    }

    /**
     * Starts a worker's task behind Berth's back.
     *
     * @param user whom it is to serve; {@code -1} for nobody
     * @return its id
     */
    String run(String user, long epoch) throws IOException, InterruptedException {
        String environment = """
                [{"name":"BERTH_USER_ID","value":"%s"},{"name":"BERTH_EPOCH","value":"%d"}]""".formatted(user, epoch);
        return idOf(call("RunTask", """
                        {"cluster":"berth","taskDefinition":"berth-worker","count":1,"startedBy":"by-hand",
                        "overrides":{"containerOverrides":[{"name":"worker","environment":%s}]}}""".formatted(environment)).path("tasks").path(0));
    }

    void stop(String task) throws IOException, InterruptedException {
        call("StopTask", "{\"cluster\":\"berth\",\"task\":\"%s\",\"reason\":\"test\"}".formatted(task));
    }

    JsonNode task(String task) throws IOException, InterruptedException {
        return call("DescribeTasks", "{\"cluster\":\"berth\",\"tasks\":[\"%s\"]}".formatted(task))
                .path("tasks")
                .path(0);
    }

    /** When the last task stopped, of those that ECS still knows; long ago when there is none. */
    Instant lastStop() throws IOException, InterruptedException {
        Instant last = Instant.EPOCH;
        for (JsonNode arn : stopped()) {
            Instant at = stoppedAt(task(arn.asText()));
            last = at.isAfter(last) ? at : last;
        }
        return last;
    }

    boolean isStopped(String task) throws IOException, InterruptedException {
        return task(task).path("lastStatus").asText().equals("STOPPED");
    }

    /** When a task stopped that did. */
    static Instant stoppedAt(JsonNode task) {
        return Instant.ofEpochMilli((long) (task.path("stoppedAt").asDouble() * 1000));
    }

    /** ARNs of what stopped, or was told to. */
    private JsonNode stopped() throws IOException, InterruptedException {
        return call("ListTasks", "{\"cluster\":\"berth\",\"desiredStatus\":\"STOPPED\"}")
                .path("taskArns");
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
