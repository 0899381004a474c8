package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The users who should have one worker, and those who should have none. */
public record ExpectedWorkers(Stack stack, List<BenchUser> wanted, List<BenchUser> unwanted) {

    /** Expects a worker for each active user, and none for the others. */
    public static ExpectedWorkers of(Stack stack, TradingUsers crew) throws IOException, InterruptedException {
        List<BenchUser> active = new ArrayList<>();
        List<BenchUser> others = new ArrayList<>();
        for (OrderFlow flow : crew.all()) {
            BenchUser user = flow.user();
            (user.trader().worker().isServing() ? active : others).add(user);
        }
        return new ExpectedWorkers(stack, active, others);
    }

    /** The first difference from the expectation; empty when there is none. */
    public Optional<String> missing() throws IOException, InterruptedException {
        Set<Long> serving = new HashSet<>();
        for (BenchUser user : wanted) {
            Worker worker = user.trader().worker();
            if (!worker.isServing()) {
                return Optional.of("should be ACTIVE: " + worker);
            }
            serving.add(worker.pid());
        }
        for (BenchUser user : unwanted) {
            Worker worker = user.trader().worker();
            // A user without a lifecycle is TERMINATED, too.
            if (!worker.isIn("TERMINATED")) {
                return Optional.of("should be TERMINATED: " + worker);
            }
        }
        return unexpectedProcess(serving);
    }

    /** Each process must serve one of these users or be an idle pool worker. */
    private Optional<String> unexpectedProcess(Set<Long> serving) throws IOException {
        List<HostProcess> processes = HostProcess.of(stack);
        List<String> idle = RedisKeyspace.of(stack).idlePoolWorkers();
        Set<Long> remaining = new HashSet<>(serving);
        for (HostProcess process : processes) {
            boolean serves = remaining.remove(process.pid());
            if (!serves && idle.stream().noneMatch(process::isOfTask)) {
                return Optional.of("process without user, not in the pool: " + process);
            }
        }
        return remaining.isEmpty() ? Optional.empty() : Optional.of("active workers without a process: " + remaining);
    }
}
