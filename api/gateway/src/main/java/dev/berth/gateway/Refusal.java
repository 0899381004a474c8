package dev.berth.gateway;

/** Why a call was refused. */
public enum Refusal {
    /** No valid certificate of a task. */
    UNAUTHENTICATED,
    /** An enrolment with a secret that is unknown, used or expired, or is another task's. */
    ENROLMENT,
    /** An assignment that no gateway made, or another task's; or none where one is needed. */
    ASSIGNMENT,
    /** A method that no worker needs. */
    METHOD,
    NAMESPACE,
    /** A task queue of another user, or a part of one. */
    QUEUE,
    /** A task that was not handed to the caller. */
    TASK_TOKEN,
    /** Data of another user. */
    USER,
    /** A claim that the lifecycle did not make, or a second one. */
    CLAIM,
    /** What only the newest worker of a user may do; one that ends in order may ask once more. */
    SUPERSEDED,
    /** A further certificate for a task that ECS stopped, or was asked to stop. */
    STOPPED,
    /** What only an idle pool worker may do, or only a user's worker. */
    STATE,
    /** An argument that is malformed or too large. */
    ARGUMENT,
    /** More calls, polls or bytes than a task needs; the caller may try again later. */
    QUANTITY
}
