package dev.berth.host;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGTERM and SIGINT: the first lets the order in hand finish, a second one ends the process at once. */
final class StopSignals {
    private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);
    private static final Map<String, Integer> NUMBERS = Map.of("TERM", 15, "INT", 2);
    private static final AtomicBoolean STOPPING = new AtomicBoolean();

    private StopSignals() {}

    /**
     * Without this the JVM lets the shutdown hooks finish, however often it is told to go. {@code sun.misc.Signal} is the
     * only way to a signal, of the supported module {@code jdk.unsupported}; by reflection, since the compiler warns of
     * it and can not be told not to. A JVM without it goes on as it would by itself.
     */
    static void install() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            for (var number : NUMBERS.entrySet()) {
                Object stop = Proxy.newProxyInstance(
                        StopSignals.class.getClassLoader(),
                        new Class<?>[] {handler},
                        (proxy, method, arguments) -> switch (method.getName()) {
                            case "handle" -> stop(number.getKey(), number.getValue());
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> number.getValue();
                            default -> number.getKey();
                        });
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(number.getKey()), stop);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException missing) {
            LOG.warn("a second SIGTERM will not end this process at once: {}", missing.toString());
        }
    }

    /** Called on a thread of its own for each signal, so it may wait for the shutdown hooks. */
    private static Object stop(String name, int number) {
        int status = 128 + number;
        if (!STOPPING.compareAndSet(false, true)) {
            LOG.warn("a second signal, SIG{}: ending at once", name);
            Runtime.getRuntime().halt(status);
        }
        LOG.info("SIG{}: the order in hand is finished first", name);
        System.exit(status);
        return name;
    }
}
