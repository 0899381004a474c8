package dev.berth.workflows.worker;

/**
 * The process that serves a user. Host and process id are its own word; the rest the gateway
 * writes.
 *
 * @param epoch the one that it serves its user with
 * @param taskArn of its ECS task
 * @param publicKey X25519, Base64; made when the process started, and enrolled with it
 */
public record WorkerProcess(long epoch, String taskArn, String host, long pid, String publicKey) {}
