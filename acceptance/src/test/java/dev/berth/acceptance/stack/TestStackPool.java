package dev.berth.acceptance.stack;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** The stacks of a test run. Each is lent to one class at a time, which may change it freely. */
final class TestStackPool implements AutoCloseable {
    private final int size;
    private final BlockingQueue<TestStack> free = new LinkedBlockingQueue<>();
    private final List<TestStack> all = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger(1);

    TestStackPool(int size) {
        this.size = size;
        // Else a thread's uncaught exception fails whichever class waits at that moment.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    /** Waits for a free stack. */
    TestStack take() throws IOException, InterruptedException {
        TestStack idle = free.poll();
        if (idle != null) {
            return idle;
        }
        int number = numbers.getAndIncrement();
        return number > size ? free.take() : start(number);
    }

    private TestStack start(int number) throws IOException, InterruptedException {
        try {
            TestStack stack = startInTurn(number);
            if (stack == all.getFirst()) {
                stack.stack().berth("up");
            }
            return stack;
        } catch (IOException | RuntimeException notUp) {
            // The next caller starts this stack again instead of waiting for it.
            numbers.set(number);
            throw notUp;
        }
    }

    /**
     * The first start makes the class archives, which halve all later starts; those of the API and
     * the gateway when they end.
     */
    private synchronized TestStack startInTurn(int number) throws IOException, InterruptedException {
        TestStack stack = TestStack.start("stack-" + number);
        all.add(stack);
        if (all.size() == 1) {
            stack.stack().process("api").end();
            stack.stack().process("gateway").end();
        }
        return stack;
    }

    void giveBack(TestStack stack) {
        free.add(stack);
    }

    @Override
    public void close() throws IOException {
        for (TestStack stack : all) {
            stack.close();
        }
    }
}
