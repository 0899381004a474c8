package dev.berth.acceptance.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.berth.acceptance.Stack;
import java.util.Locale;

/** Measures one part and prints its rows: {@code cold}, {@code claim} or {@code orders}. */
public final class Bench {
    private static final int STARTS = 10;
    private static final int ORDERS = 200;

    private Bench() {}

    static void main(String[] arguments) throws Exception {
        Stack stack = Stack.ofEnvironment();
        switch (arguments[0]) {
            case "cold", "claim" -> {
                WorkerStarts starts = new WorkerStarts(stack, arguments[0].toUpperCase(Locale.ROOT));
                starts.measure(STARTS);
                starts.print();
            }
            case "orders" -> {
                OrderLatency latency = new OrderLatency(stack, ORDERS);
                latency.measure();
                latency.print();
            }
            default -> throw new IllegalArgumentException("there is nothing to measure called " + arguments[0]);
        }
        System.exit(0);
    }

    @FormatMethod
    static void say(String format, Object... values) {
        System.out.println(format.formatted(values));
    }
}
