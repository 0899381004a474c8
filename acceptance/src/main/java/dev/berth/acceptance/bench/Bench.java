package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.util.Arrays;

/**
 * Measures one part and prints its rows: {@code cold, claim, orders, load, cost, kills, fleet,
 * orchestrator, switch, flood, gateways, streams, remote, fix, tracing, reads, simulate} or
 * {@code sweep}.
 * {@code --full} measures the full counts, and {@code --seed=N} repeats the random choices. Ends
 * with 1 when an order was lost or doubled, no span was exported, or a read was not answered, and
 * with {@code --check} also when a ratio to a baseline of the same run misses its goal.
 */
public final class Bench {
    private static final int IDLE_STREAMS = 10_000;
    private static final int READ_ROUNDS = 2;
    private static final String SEED = "--seed=";

    private final Stack stack = Stack.ofEnvironment();
    private final SampleCounts counts;
    private final long seed;

    private Bench(String[] arguments) {
        this.counts = Arrays.asList(arguments).contains("--full") ? SampleCounts.FULL : SampleCounts.QUICK;
        this.seed = Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(SEED))
                .map(argument -> Long.parseLong(argument.substring(SEED.length())))
                .findFirst()
                .orElseGet(() -> System.currentTimeMillis() % 1_000_000);
    }

    static void main(String[] arguments) throws Exception {
        boolean good = new Bench(arguments).measure(arguments[0]);
        boolean missed = Arrays.asList(arguments).contains("--check") && ResultTable.missedRatio();
        System.exit(good && !missed ? 0 : 1);
    }

    private boolean measure(String part) throws Exception {
        switch (part) {
            case "cold", "claim" -> {
                WorkerStarts starts = new WorkerStarts(stack, part.equals("claim"));
                starts.measure(counts.starts());
                starts.print();
                return true;
            }
            case "orders" -> {
                OrderLatency latency = new OrderLatency(stack, counts.orders());
                latency.measure();
                latency.print();
                return true;
            }
            case "load" -> {
                new OrderLoad(stack).measure(counts.rounds());
                FirstOrders first = new FirstOrders(stack);
                first.measure(counts.rounds());
                first.print();
                OrderActions actions = new OrderActions(stack);
                actions.measure(counts.rounds());
                actions.print();
                return true;
            }
            case "kills" -> {
                RecoveryTime kills = new RecoveryTime(stack, seed);
                kills.measure(counts.kills(), counts.silentKills());
                kills.print();
                return kills.isGood();
            }
            case "fleet" -> {
                FleetCost fleet = new FleetCost(stack);
                fleet.measure(counts.fleet(), counts.idle());
                fleet.print();
                return true;
            }
            case "orchestrator" -> {
                OrchestratorRecovery kills = new OrchestratorRecovery(stack, seed);
                kills.measure(counts.orchestratorKills());
                kills.print();
                return kills.isGood();
            }
            case "switch" -> {
                KillSwitchTime time = new KillSwitchTime(stack);
                time.measure(counts.switches());
                time.print();
                return true;
            }
            case "flood" -> {
                Flood flood = new Flood(stack);
                flood.measure(counts.flood());
                flood.print();
                return flood.isGood();
            }
            case "sweep" -> {
                SweepTime time = new SweepTime(stack);
                time.measure(counts.sweep());
                return time.isGood();
            }
            case "gateways" -> {
                GatewayReplicas replicas = new GatewayReplicas(stack, seed);
                replicas.measure(counts.gatewayKills());
                replicas.print();
                return replicas.isGood();
            }
            case "streams" -> {
                StreamKills kills = new StreamKills(stack);
                kills.measure(counts.streams());
                kills.print();
                new IdleStreams(stack).measure(IDLE_STREAMS);
                return kills.isGood();
            }
            case "remote" -> {
                RemoteLatency latency = new RemoteLatency(stack, counts.orders());
                latency.measure();
                latency.print();
                return true;
            }
            case "fix" -> {
                FixLatency latency = new FixLatency(stack, counts.orders());
                latency.measure();
                latency.print();
                return true;
            }
            case "tracing" -> {
                TracingCost cost = new TracingCost(stack, counts.orders());
                cost.measure();
                cost.print();
                return cost.isGood();
            }
            case "reads" -> {
                ReadLoad load = new ReadLoad(stack);
                load.measure(counts.readers(), READ_ROUNDS);
                load.print();
                return load.isGood();
            }
            case "simulate" -> {
                try (CellLoad cell = new CellLoad(stack)) {
                    cell.measure(counts.simulated());
                    return cell.isGood();
                }
            }
            case "cost" -> {
                OrderCost cost = new OrderCost(stack);
                cost.measure(counts.starts());
                cost.print();
                return true;
            }
            default -> throw new IllegalArgumentException("there is no part called " + part);
        }
    }
}
