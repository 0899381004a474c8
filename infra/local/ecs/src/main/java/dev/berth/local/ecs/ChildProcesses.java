package dev.berth.local.ecs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CompletableFuture;

/**
 * Makes this process the parent of containers, whose creator ends at once, so that it learns their
 * exit codes. The JDK has no call for that.
 */
final class ChildProcesses {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle WAITPID = function(
            "waitpid",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final int PR_SET_CHILD_SUBREAPER = 36;

    private ChildProcesses() {}

    /** Descendants whose parent ends become children of this process. Idempotent. */
    static void adoptOrphans() {
        MethodHandle prctl = function(
                "prctl", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        try {
            int result = (int) prctl.invokeExact(PR_SET_CHILD_SUBREAPER, 1L);
            if (result != 0) {
                throw new IllegalStateException("this system has no PR_SET_CHILD_SUBREAPER");
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Completes at the end of this child: 0 to 255, 128 + signal after a signal. */
    static CompletableFuture<Integer> exitCode(int pid) {
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        // A virtual thread would hold its carrier all the while.
        Thread.ofPlatform().daemon().name("ecs-wait-" + pid).start(() -> exit.complete(await(pid)));
        return exit;
    }

    private static int await(int pid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            int waited;
            do {
                waited = (int) WAITPID.invokeExact(pid, status, 0);
            } while (waited != pid && ProcessHandle.of(pid).isPresent());
            int value = status.get(ValueLayout.JAVA_INT, 0);
            int signal = value & 0x7f;
            return signal == 0 ? value >> 8 & 0xff : 128 + signal;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor types) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), types);
    }
}
