package dev.berth.acceptance;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The stacks of a test run. Two, because most tests wait for something; each is lent to one class at a time, which may do
 * with it as it likes.
 */
final class Stacks implements AutoCloseable {
    private static final int NUMBER = 2;

    private final BlockingQueue<RunningStack> free = new LinkedBlockingQueue<>();
    private final List<RunningStack> all = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger(1);

    /** One that nobody has; waits until there is one. */
    RunningStack take() throws IOException, InterruptedException {
        RunningStack idle = free.poll();
        if (idle != null) {
            return idle;
        }
        int number = numbers.getAndIncrement();
        return number > NUMBER ? free.take() : start(number);
    }

    private RunningStack start(int number) throws IOException, InterruptedException {
        try {
            RunningStack stack = startAfterTheOthers(number);
            if (stack == all.getFirst()) {
                stack.stack().berth("up");
            }
            return stack;
        } catch (IOException | RuntimeException notUp) {
            // Whoever comes next tries again, rather than wait for one that never comes.
            numbers.set(number);
            throw notUp;
        }
    }

    /** The first makes the class archives, which halve all starts that follow: the API's when it ends. */
    private synchronized RunningStack startAfterTheOthers(int number) throws IOException, InterruptedException {
        RunningStack stack = RunningStack.start("stack-" + number);
        all.add(stack);
        if (all.size() == 1) {
            stack.stack().process("api").end();
        }
        return stack;
    }

    void giveBack(RunningStack stack) {
        free.add(stack);
    }

    @Override
    public void close() throws IOException {
        for (RunningStack stack : all) {
            stack.close();
        }
    }
}
