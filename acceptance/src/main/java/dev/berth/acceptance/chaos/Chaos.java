package dev.berth.acceptance.chaos;

import dev.berth.acceptance.stack.Stack;

/** {@code ./berth chaos}: a fault run and its check. The same seed makes the same plan. */
public final class Chaos {
    private static final long SEEDS = 1_000_000;

    private Chaos() {}

    /** Ends with 0: no promise is broken, 1: some are, 2: wrong usage. */
    static void main(String[] arguments) throws Exception {
        ChaosOptions options;
        try {
            options = ChaosOptions.parse(System.currentTimeMillis() % SEEDS, arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println("berth: " + wrong.getMessage());
            System.err.println("       " + ChaosOptions.USAGE);
            System.exit(2);
            return;
        }
        if (options.planOnly()) {
            System.out.println("seed " + options.seed());
            System.out.println(options.plan().text());
            return;
        }
        System.out.println("seed " + options.seed() + ", " + options.length().toMinutes() + " minutes");
        FaultRun run = new FaultRun(Stack.ofEnvironment(), options.plan());
        run.run();
        run.print();
        System.exit(run.isGood() ? 0 : 1);
    }
}
