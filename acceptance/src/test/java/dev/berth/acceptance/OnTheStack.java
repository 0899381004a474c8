package dev.berth.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/** Lends a class of tests one of the stacks of the run. */
public final class OnTheStack implements BeforeAllCallback, AfterAllCallback, ParameterResolver, TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(OnTheStack.class);

    /** The store of a class would close what can be closed. */
    private record Lent(RunningStack stack) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        running(context);
    }

    /**
     * Its users are done: their workers would fill the hosts, and take the machine's time, until they are idle. A plain stop
     * would not do: the next check of a resting order brings a worker back.
     */
    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        Stack stack = running(context).stack();
        try {
            suspendAll(stack);
        } catch (IOException away) {
            // Left so by a test that failed.
            stack.berth("up");
            suspendAll(stack);
        } finally {
            stacks(context).giveBack(running(context));
        }
    }

    private static void suspendAll(Stack stack) throws IOException, InterruptedException {
        Operator operator = Operator.of(stack);
        for (JsonNode worker :
                operator.get("/workers?state=ACTIVE&limit=1000").body().path("workers")) {
            operator.tell("/workers/" + worker.path("userId").asText() + ":suspend", "its tests are over");
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Stack.class;
    }

    @Override
    public Stack resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context).stack();
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        running(context).failed();
    }

    /** A class that is made once for all its tests asks in its constructor, before anything else. */
    private static RunningStack running(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(Lent.class, _ -> new Lent(taken(context)), Lent.class)
                .stack();
    }

    private static RunningStack taken(ExtensionContext context) {
        try {
            return stacks(context).take();
        } catch (IOException notUp) {
            throw new UncheckedIOException(notUp);
        } catch (InterruptedException cutOff) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(cutOff);
        }
    }

    private static Stacks stacks(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(Stacks.class, _ -> new Stacks(), Stacks.class);
    }
}
