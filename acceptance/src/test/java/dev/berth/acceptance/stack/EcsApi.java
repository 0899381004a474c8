package dev.berth.acceptance.stack;

import static dev.berth.acceptance.rest.JsonRecords.required;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The local ECS: its JSON protocol and its test controls.
 *
 * @param enrolments lets tasks that a test starts enrol at the gateway
 */
public record EcsApi(RestClient rest, LaunchEnrolment enrolments) {

    private record TaskArns(List<String> taskArns) {}

    private record HostArns(List<String> containerInstanceArns) {}

    private record Host(String status) {}

    public static EcsApi of(Stack stack) {
        return new EcsApi(stack.ecs(), LaunchEnrolment.of(stack));
    }

    public void hosts(int number) throws IOException, InterruptedException {
        String body = "{\"hosts\":%s}".formatted(number);
        assertThat(rest.call("PUT", "/_control/capacity", body).status()).isEqualTo(200);
    }

    /** The ARN of the container instance that a task runs on. */
    public String hostOf(String task) throws IOException, InterruptedException {
        return required(task(task).containerInstanceArn(), "containerInstanceArn");
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
        return call("ListContainerInstances", "{\"cluster\":\"berth\"}")
                .as(HostArns.class)
                .containerInstanceArns();
    }

    /** {@code ACTIVE} or {@code DRAINING}. */
    public String statusOf(String host) throws IOException, InterruptedException {
        return call("DescribeContainerInstances", """
                        {"cluster":"berth","containerInstances":["%s"]}""".formatted(host))
                .list("containerInstances", Host.class)
                .getFirst()
                .status();
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
        for (String arn : tasks("{\"cluster\":\"berth\",\"desiredStatus\":\"STOPPED\"}")) {
            stop(arn);
        }
    }

    /** Ids of the running tasks. */
    public List<String> running() throws IOException, InterruptedException {
        return tasks("{\"cluster\":\"berth\"}").stream().map(EcsTask::idOf).toList();
    }

    /**
     * Registers a revision of the workers' task definition with one more environment variable.
     *
     * @return the previous definition, as {@link #register} takes it
     */
    public JsonNode define(String variable, String value) throws IOException, InterruptedException {
        JsonNode before = definition();
        JsonNode next = before.deepCopy();
        ((ArrayNode) next.at("/containerDefinitions/0/environment"))
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
                .body()
                .required("taskDefinition");
    }

    /** The ARN of the newest revision of the workers' task definition. */
    public String definitionArn() throws IOException, InterruptedException {
        return definitionArn("berth-worker");
    }

    /** The ARN of the newest revision of a family. */
    public String definitionArn(String family) throws IOException, InterruptedException {
        return definition(family).required("taskDefinitionArn").asText();
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
        EcsTask task = call("RunTask", """
                        {"cluster":"berth","taskDefinition":"berth-worker","count":1,"startedBy":"by-hand",
                        "overrides":{"containerOverrides":[{"name":"worker","environment":%s}]}}""".formatted(environment))
                .list("tasks", EcsTask.class)
                .getFirst();
        enrolments.allow(secret, task.taskArn(), user.equals("-1") ? user : user + ":" + epoch);
        return task.id();
    }

    public void stop(String task) throws IOException, InterruptedException {
        call("StopTask", "{\"cluster\":\"berth\",\"task\":\"%s\",\"reason\":\"test\"}".formatted(task));
    }

    /** A task that ECS does not know has none of the fields. */
    public EcsTask task(String task) throws IOException, InterruptedException {
        return call("DescribeTasks", "{\"cluster\":\"berth\",\"tasks\":[\"%s\"]}".formatted(task))
                .list("tasks", EcsTask.class)
                .stream()
                .findFirst()
                .orElseGet(() -> JsonRecords.read("{}", EcsTask.class));
    }

    public boolean isStopped(String task) throws IOException, InterruptedException {
        return "STOPPED".equals(task(task).lastStatus());
    }

    private List<String> tasks(String filter) throws IOException, InterruptedException {
        return call("ListTasks", filter).as(TaskArns.class).taskArns();
    }

    /** The exit code of a stopped task; -1 while it runs. */
    public int exitCode(String task) throws IOException, InterruptedException {
        return task(task).exitCode();
    }

    private JsonResponse call(String action, String body) throws IOException, InterruptedException {
        JsonResponse answer =
                rest.call("POST", "/", body, "X-Amz-Target", "AmazonEC2ContainerServiceV20141113." + action);
        assertThat(answer.status()).as("%s: %s", action, answer.body()).isEqualTo(200);
        return answer;
    }
}
