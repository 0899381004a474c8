package dev.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/** Gives tests the stack of the run, which the first of them starts. */
final class OnTheStack implements BeforeAllCallback, ParameterResolver, TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(OnTheStack.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        running(context);
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

    private static RunningStack running(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(RunningStack.class, _ -> start(), RunningStack.class);
    }

    private static RunningStack start() {
        try {
            return RunningStack.start();
        } catch (IOException notUp) {
            throw new UncheckedIOException(notUp);
        } catch (InterruptedException cutOff) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(cutOff);
        }
    }
}
