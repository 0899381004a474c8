package dev.berth.activities.launch;

/** The launcher does not know the task, or takes no such call for it. */
public final class UnknownTaskException extends LauncherException {
    private static final long serialVersionUID = 1L;

    public UnknownTaskException(RuntimeException cause) {
        super(cause, true);
    }
}
