package dev.berth.workflows.worker;

/**
 * The process that serves a user, as it describes itself.
 *
 * @param taskArn of its ECS task
 * @param publicKey X25519, Base64; made when the process started
 */
public record WorkerProcess(String taskArn, String host, long pid, String publicKey) {}
