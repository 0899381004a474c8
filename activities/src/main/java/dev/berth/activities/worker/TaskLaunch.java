package dev.berth.activities.worker;

import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;

/** ECS {@code RunTask}, whose two ways to say "no room" are made one. */
public final class TaskLaunch {
    /** ECS has no error code of its own for a cluster without hosts, such as before the scaling group adds the first. */
    private static final String NO_HOSTS = "No Container Instances were found";

    private TaskLaunch() {}

    /** Starts what fits. What does not is a failure in the answer, not an exception. */
    public static RunTaskResponse run(EcsClient ecs, RunTaskRequest request) {
        try {
            return ecs.runTask(request);
        } catch (InvalidParameterException invalid) {
            if (!String.valueOf(invalid.getMessage()).contains(NO_HOSTS)) {
                throw invalid;
            }
            Failure noHost = Failure.builder().reason("the cluster has no host").build();
            return RunTaskResponse.builder().failures(noHost).build();
        }
    }
}
