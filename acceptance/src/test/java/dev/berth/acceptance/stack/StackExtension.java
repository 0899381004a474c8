package dev.berth.acceptance.stack;

import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.stream.Stream;
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
    private static final String OVER = "its tests are over";
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

    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        Stack stack = leased(context).stack();
        try {
            endUsers(stack);
        } catch (IOException unreachable) {
            // A failed test may leave the stack down.
            stack.berth("up");
            endUsers(stack);
        } finally {
            stacks(context).giveBack(leased(context));
        }
    }

    /**
     * Ends what the users of the class would occupy: the workers, which stay until they are idle,
     * and for users of earlier classes the lifecycles, all of which each start of the API and each
     * switch of the fleet concerns. The next check of an open order would start a worker again: its
     * user is suspended, and stays.
     *
     * <p>Temporal runs one batch at a time: the lifecycles that a refused one leaves cost CPU until
     * the end of the next class.
     */
    private static void endUsers(Stack stack) throws IOException, InterruptedException {
        FleetOperator operator = FleetOperator.of(stack);
        TemporalCli temporal = new TemporalCli(stack, false);
        Set<String> trading = temporal.ids("WorkflowType='Order' AND ExecutionStatus='Running'").stream()
                .map(order -> order.split(":", 3)[1])
                .collect(toSet());
        String stopped =
                users(operator, "TERMINATED").filter(not(trading::contains)).collect(joining("','", "'", "'"));
        temporal.attempt(
                "workflow",
                "terminate",
                "--yes",
                "--reason",
                OVER,
                "--query",
                "WorkflowType='WorkerLifecycle' AND BerthUserId IN (" + stopped + ")");
        for (String user : users(operator, "ACTIVE").toList()) {
            operator.tell("/workers/" + user + (trading.contains(user) ? ":suspend" : ":stop"), OVER);
        }
    }

    private static Stream<String> users(FleetOperator operator, String state) throws IOException, InterruptedException {
        return operator.get("/workers?limit=1000&state=" + state).page(Worker.class).items().stream()
                .map(Worker::userId);
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
