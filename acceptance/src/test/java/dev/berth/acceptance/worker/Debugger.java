package dev.berth.acceptance.worker;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** Suspends threads of another process, as if their call never returned. */
final class Debugger implements AutoCloseable {
    /** The agent that accepts a debugger; it logs its port. */
    static final String AGENT = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

    private final VirtualMachine process;

    private Debugger(VirtualMachine process) {
        this.process = process;
    }

    static Debugger attach(String port) throws IOException {
        AttachingConnector socket = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(connector -> connector.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = socket.defaultArguments();
        Objects.requireNonNull(arguments.get("port")).setValue(port);
        try {
            return new Debugger(socket.attach(arguments));
        } catch (IllegalConnectorArgumentsException wrong) {
            throw new IOException(wrong);
        }
    }

    /**
     * Suspends the current threads with this name prefix; does nothing when the process has ended.
     */
    void suspend(String name) {
        try {
            process.allThreads().stream()
                    .filter(thread -> !thread.isSuspended() && thread.name().startsWith(name))
                    .forEach(ThreadReference::suspend);
        } catch (VMDisconnectedException ended) {
            // The process has ended.
        }
    }

    /** Resumes the threads. */
    @Override
    public void close() {
        try {
            process.dispose();
        } catch (VMDisconnectedException ended) {
            // The process has ended.
        }
    }
}
