package dev.berth.host;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGTERM and SIGINT: the first lets the current order finish, a second ends the process at once.
 */
final class StopSignals {
    private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);
    private static final Map<String, Integer> NUMBERS = Map.of("TERM", 15, "INT", 2);
    private static final AtomicBoolean STOPPING = new AtomicBoolean();

    private StopSignals() {}

    /**
     * By default the JVM ignores further signals while shutdown hooks run. {@code sun.misc.Signal}
     * of
     * the supported module {@code jdk.unsupported} is the only way to a signal; by reflection,
     * since
     * its compiler warning cannot be suppressed. A JVM without it keeps the default.
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

    /**
     * The JVM calls this on a new thread for each signal, so it may wait for the shutdown hooks.
     */
    private static Object stop(String name, int number) {
        int status = 128 + number;
        if (!STOPPING.compareAndSet(false, true)) {
            LOG.warn("a second signal, SIG{}: ending at once", name);
            Runtime.getRuntime().halt(status);
        }
        LOG.info("SIG{}: the current order is finished first", name);
        System.exit(status);
        return name;
    }
}
