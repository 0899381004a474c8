package dev.berth.workflows.deployment;

/** What a worker's task reserves and may use, on this machine as in a cloud account. */
public final class WorkerSize {
    /** 1,024 to a core. */
    public static final int CPU_UNITS = 64;
    /** ECS places tasks by this. */
    public static final int SOFT_MEBIBYTES = 384;
    /** Above it the task alone is killed. */
    public static final int HARD_MEBIBYTES = 1024;
    /** Workers of a host of 2 cores and 16 GiB. */
    public static final int PER_HOST = 30;
    /** Planned stops close the session before SIGTERM, so a worker ends at once. */
    public static final int STOP_SECONDS = 2;

    private WorkerSize() {}
}
