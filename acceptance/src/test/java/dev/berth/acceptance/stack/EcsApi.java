package dev.berth.acceptance.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.acceptance.rest.RestClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The local ECS: its JSON protocol and its test controls.
 *
 * @param enrolments lets tasks that a test starts enrol at the gateway
 */
public record EcsApi(RestClient rest, LaunchEnrolment enrolments) {

    public static EcsApi of(Stack stack) {
        return new EcsApi(stack.ecs(), LaunchEnrolment.of(stack));
    }

    public void hosts(int number) throws IOException, InterruptedException {
        String body = "{\"hosts\":%s}".formatted(number);
        assertThat(rest.call("PUT", "/_control/capacity", body).status()).isEqualTo(200);
    }

    /** The ARN of the container instance that a task runs on. */
    public String hostOf(String task) throws IOException, InterruptedException {
        return task(task).path("containerInstanceArn").asText();
    }

    /** Deregisters the host by force: ECS reports its tasks stopped, and their processes run on. */
    public void deregister(String host) throws IOException, InterruptedException {
        call("DeregisterContainerInstance", """
                {"cluster":"berth","containerInstance":"%s","force":true}""".formatted(host));
    }

    /** Tasks on a host that drains run on, and no new one is placed there. */
    public void setDraining(String host, boolean draining) throws IOException, InterruptedException {
        call("UpdateContainerInstancesState", """
                {"cluster":"berth","containerInstances":["%s"],"status":"%s"}""".formatted(host, draining ? "DRAINING" : "ACTIVE"));
    }

    /** ARNs of the hosts, also of those that drain. */
    public List<String> hosts() throws IOException, InterruptedException {
        List<String> arns = new ArrayList<>();
        for (JsonNode arn :
                call("ListContainerInstances", "{\"cluster\":\"berth\"}").path("containerInstanceArns")) {
            arns.add(arn.asText());
        }
        return arns;
    }

    /** {@code ACTIVE} or {@code DRAINING}. */
    public String statusOf(String host) throws IOException, InterruptedException {
        return call("DescribeContainerInstances", """
                        {"cluster":"berth","containerInstances":["%s"]}""".formatted(host))
                .path("containerInstances")
                .path(0)
                .path("status")
                .asText();
    }

    /** Kills the processes of a host; ECS notices after this time. */
    public void terminate(String host, Duration noticedAfter) throws IOException, InterruptedException {
        String body = """
                {"containerInstance":"%s","noticedAfterMillis":%s}""".formatted(host, noticedAfter.toMillis());
        assertThat(rest.call("PUT", "/_control/termination", body).status()).isEqualTo(200);
    }

    /** Sets the faults from now on; {@code {}} is none. */
    public void faults(String json) throws IOException, InterruptedException {
        assertThat(rest.call("PUT", "/_control/faults", json).status()).isEqualTo(200);
    }

    /** Stops the tasks whose stop was ignored. */
    public void stopAgain() throws IOException, InterruptedException {
        for (JsonNode arn : stopped()) {
            stop(arn.asText());
        }
    }

    /** Ids of the running tasks. */
    public List<String> running() throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        for (JsonNode arn : call("ListTasks", "{\"cluster\":\"berth\"}").path("taskArns")) {
            ids.add(taskId(arn));
        }
        return ids;
    }

    /** The task id in a JSON object with a {@code taskArn}: a worker or a task. */
    public static String idOf(JsonNode object) {
        return taskId(object.path("taskArn"));
    }

    private static String taskId(JsonNode arn) {
        return arn.asText().substring(arn.asText().lastIndexOf('/') + 1);
    }

    /**
     * Registers a revision of the workers' task definition with one more environment variable.
     *
     * @return the previous definition, as {@link #register} takes it
     */
    public JsonNode define(String variable, String value) throws IOException, InterruptedException {
        JsonNode before = definition();
        JsonNode next = before.deepCopy();
        ((ArrayNode) next.path("containerDefinitions").path(0).path("environment"))
                .addObject()
                .put("name", variable)
                .put("value", value);
        register(next);
        return before;
    }

    /** The newest revision of the workers' task definition. */
    public JsonNode definition() throws IOException, InterruptedException {
        return definition("berth-worker");
    }

    /** The newest revision of a family. */
    public JsonNode definition(String family) throws IOException, InterruptedException {
        return call("DescribeTaskDefinition", "{\"taskDefinition\":\"%s\"}".formatted(family))
                .path("taskDefinition");
    }

    public void register(JsonNode definition) throws IOException, InterruptedException {
        call("RegisterTaskDefinition", definition.toString());
    }

    /**
     * Starts a worker's task without Berth.
     *
     * @param user the user of the worker; {@code -1} for a pool worker
     * @return the task id
     */
    public String run(String user, long epoch) throws IOException, InterruptedException {
        String secret = UUID.randomUUID().toString();
        String environment = """
                [{"name":"BERTH_USER_ID","value":"%s"},{"name":"BERTH_EPOCH","value":"%s"},
                {"name":"BERTH_ENROLMENT_SECRET","value":"%s"}]""".formatted(user, epoch, secret);
        JsonNode task =
                call("RunTask", """
                        {"cluster":"berth","taskDefinition":"berth-worker","count":1,"startedBy":"by-hand",
                        "overrides":{"containerOverrides":[{"name":"worker","environment":%s}]}}""".formatted(environment)).path("tasks").path(0);
        enrolments.allow(secret, task.path("taskArn").asText(), user.equals("-1") ? user : user + ":" + epoch);
        return idOf(task);
    }

    public void stop(String task) throws IOException, InterruptedException {
        call("StopTask", "{\"cluster\":\"berth\",\"task\":\"%s\",\"reason\":\"test\"}".formatted(task));
    }

    public JsonNode task(String task) throws IOException, InterruptedException {
        return call("DescribeTasks", "{\"cluster\":\"berth\",\"tasks\":[\"%s\"]}".formatted(task))
                .path("tasks")
                .path(0);
    }

    public boolean isStopped(String task) throws IOException, InterruptedException {
        return task(task).path("lastStatus").asText().equals("STOPPED");
    }

    public static Instant stoppedAt(JsonNode task) {
        return time(task, "stoppedAt");
    }

    /** When a host got the task. */
    public static Instant placedAt(JsonNode task) {
        return time(task, "pullStartedAt");
    }

    private static Instant time(JsonNode task, String field) {
        return Instant.ofEpochMilli((long) (task.path(field).asDouble() * 1000));
    }

    /** ARNs of the tasks that stopped or were asked to stop. */
    private JsonNode stopped() throws IOException, InterruptedException {
        return call("ListTasks", "{\"cluster\":\"berth\",\"desiredStatus\":\"STOPPED\"}")
                .path("taskArns");
    }

    /** The exit code of a stopped task; -1 while it runs. */
    public int exitCode(String task) throws IOException, InterruptedException {
        return task(task).path("containers").path(0).path("exitCode").asInt(-1);
    }

    private JsonNode call(String action, String body) throws IOException, InterruptedException {
        RestClient.JsonResponse answer =
                rest.call("POST", "/", body, "X-Amz-Target", "AmazonEC2ContainerServiceV20141113." + action);
        assertThat(answer.status()).as("%s: %s", action, answer.body()).isEqualTo(200);
        return answer.body();
    }
}
