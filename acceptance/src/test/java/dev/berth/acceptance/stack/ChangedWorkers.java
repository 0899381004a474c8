package dev.berth.acceptance.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;

/**
 * A revision of the workers' task definition with more environment variables, and a pool of it.
 *
 * @param usual the definition before
 */
public record ChangedWorkers(Stack stack, JsonNode usual) {

    public static ChangedWorkers with(Stack stack, Map<String, String> variables)
            throws IOException, InterruptedException {
        EcsApi ecs = EcsApi.of(stack);
        ChangedWorkers workers = new ChangedWorkers(stack, ecs.definition());
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            ecs.define(variable.getKey(), variable.getValue());
        }
        Eventually.poolOfNewestRevision(stack);
        return workers;
    }

    /**
     * Workers that jcmd can attach to, which all others refuse. The JVM reads the variable after
     * its command line, so it overrides the flag there.
     */
    public static ChangedWorkers attachable(Stack stack) throws IOException, InterruptedException {
        return with(stack, Map.of("_JAVA_OPTIONS", "-XX:-DisableAttachMechanism"));
    }

    /** Starts new workers as usual; those that run are kept. */
    public void registerUsual() throws IOException, InterruptedException {
        EcsApi.of(stack).register(usual);
    }

    /** Brings back the usual pool. */
    public void restore() throws IOException, InterruptedException {
        registerUsual();
        Eventually.poolOfNewestRevision(stack);
    }
}
