package dev.berth.acceptance.stack;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/** Lends a stack of the test run to a test class. */
public final class StackExtension
        implements ExecutionCondition, BeforeAllCallback, AfterAllCallback, ParameterResolver, TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(StackExtension.class);
    private static final String PARALLELISM = "junit.jupiter.execution.parallel.config.fixed.parallelism";

    /** Hides the stack from JUnit, which closes closeable values of a class's store. */
    private record LentStack(TestStack stack) {}

    /** {@code ./berth test --fast} runs the tests that need no stack. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return System.getProperty("berth.stack", "").equals("none")
                ? ConditionEvaluationResult.disabled("needs a stack")
                : ConditionEvaluationResult.enabled("has a stack");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        leased(context);
    }

    /**
     * Suspends the users of the class, whose workers would otherwise occupy hosts until they are
     * idle. A plain stop is not enough: the next check of a resting order starts a worker.
     */
    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        Stack stack = leased(context).stack();
        try {
            suspendAll(stack);
        } catch (IOException unreachable) {
            // A failed test may leave the stack down.
            stack.berth("up");
            suspendAll(stack);
        } finally {
            stacks(context).giveBack(leased(context));
        }
    }

    private static void suspendAll(Stack stack) throws IOException, InterruptedException {
        FleetOperator operator = FleetOperator.of(stack);
        for (Worker worker : operator.get("/workers?state=ACTIVE&limit=1000")
                .page(Worker.class)
                .items()) {
            operator.tell("/workers/" + worker.userId() + ":suspend", "its tests are over");
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Stack.class;
    }

    @Override
    public Stack resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return leased(context).stack();
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        leased(context).failed();
    }

    /** The constructor of a PER_CLASS test asks for its stack before beforeAll runs. */
    private static TestStack leased(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(LentStack.class, _ -> new LentStack(take(context)), LentStack.class)
                .stack();
    }

    private static TestStack take(ExtensionContext context) {
        try {
            return stacks(context).take();
        } catch (IOException notUp) {
            throw new UncheckedIOException(notUp);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static TestStackPool stacks(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        TestStackPool.class, _ -> new TestStackPool(parallelClasses(context)), TestStackPool.class);
    }

    private static int parallelClasses(ExtensionContext context) {
        return context.getConfigurationParameter(PARALLELISM, Integer::valueOf).orElseThrow();
    }
}
