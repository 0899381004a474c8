package dev.berth.activities.launch;

/** The launcher is unreachable, throttled the call, failed, or refused it. */
public class LauncherException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isRefusal;

    /** @param isRefusal whether the request is at fault, so that the same call fails again */
    public LauncherException(RuntimeException cause, boolean isRefusal) {
        super(cause.getMessage(), cause);
        this.isRefusal = isRefusal;
    }

    /** A refusal. */
    public LauncherException(String reason) {
        super(reason);
        this.isRefusal = true;
    }

    public final boolean isRefusal() {
        return isRefusal;
    }
}
