package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures the cost of connected idle workers. */
final class FleetCost {
    private static final Goal MEBIBYTES = Goal.most(100);
    private static final Goal PERCENT_OF_A_CORE = Goal.most(0.5);
    /** A pause after the last start, whose work must not be measured. */
    private static final Duration SETTLE = Duration.ofSeconds(10);
    /** Each host has room for some 30 workers. */
    private static final int HOSTS = 4;

    private final Stack stack;
    private final Measurements pss = new Measurements();
    private final Measurements cpu = new Measurements();
    private final Measurements gatewayCpu = new Measurements();

    FleetCost(Stack stack) {
        this.stack = stack;
    }

    void measure(int workers, Duration idle) throws IOException, InterruptedException {
        LocalEcsControl ecs = new LocalEcsControl(stack);
        ecs.hosts(HOSTS);
        List<BenchUser> users = BenchUser.fresh(stack, workers);
        try {
            List<Long> pids = new ArrayList<>();
            for (BenchUser user : users) {
                user.start();
            }
            for (BenchUser user : users) {
                pids.add(user.awaitActive(1).pid());
            }
            Thread.sleep(SETTLE);
            measureIdle(pids, idle);
        } finally {
            BenchUser.stop(users);
            ecs.usualHosts();
        }
    }

    private void measureIdle(List<Long> pids, Duration idle) throws IOException, InterruptedException {
        Map<Long, Duration> before = new HashMap<>();
        pids.forEach(pid -> before.put(pid, cpuTime(pid)));
        long gateway = stack.process("gateway").pid();
        Duration gatewayBefore = cpuTime(gateway);
        long begin = System.nanoTime();
        Thread.sleep(idle);
        for (Map.Entry<Long, Duration> one : before.entrySet()) {
            Duration busy = cpuTime(one.getKey()).minus(one.getValue());
            cpu.add(100.0 * busy.toNanos() / (System.nanoTime() - begin));
        }
        Duration gatewayBusy = cpuTime(gateway).minus(gatewayBefore);
        gatewayCpu.add(100.0 * gatewayBusy.toNanos() / (System.nanoTime() - begin) / pids.size());
        for (long pid : pids) {
            pss.add(Memory.of(pid).pssMebibytes());
        }
    }

    /** User and kernel time, which Linux counts in hundredths of a second. */
    static Duration cpuTime(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("worker " + pid + " is gone"));
    }

    void print() {
        ResultTable.row("PSS of a worker, all at once", Unit.MEBIBYTES, pss, MEBIBYTES);
        ResultTable.row("CPU of an idle worker", Unit.PERCENT_OF_A_CORE, cpu, PERCENT_OF_A_CORE);
        ResultTable.row("CPU of the gateway an idle worker", Unit.PERCENT_OF_A_CORE, gatewayCpu, Goal.NONE);
        ResultTable.note(
                "%d workers hold %.0f MiB PSS in all; CPU on average %.2f %% of a core each",
                pss.count(), pss.total(), cpu.mean());
    }
}
