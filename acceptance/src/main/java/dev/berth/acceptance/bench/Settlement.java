package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether everybody has what was asked for: one worker or none, and no process runs for nobody. */
public record Settlement(Stack stack, List<BenchUser> wanted, List<BenchUser> unwanted) {

    /** Whether everybody of the crew has a worker, or none and no process either. */
    public static Settlement of(Stack stack, Crew crew) throws IOException, InterruptedException {
        List<BenchUser> active = new ArrayList<>();
        List<BenchUser> others = new ArrayList<>();
        for (OrderFlow flow : crew.all()) {
            BenchUser user = flow.user();
            (BenchUser.isActive(user.trader().worker()) ? active : others).add(user);
        }
        return new Settlement(stack, active, others);
    }

    /** What is not yet as it should be; empty when all is. */
    public Optional<String> missing() throws IOException, InterruptedException {
        Set<Long> serving = new HashSet<>();
        for (BenchUser user : wanted) {
            JsonNode worker = user.trader().worker();
            if (!BenchUser.isActive(worker)) {
                return Optional.of("should be ACTIVE: " + worker);
            }
            serving.add(worker.path("pid").asLong());
        }
        for (BenchUser user : unwanted) {
            JsonNode worker = user.trader().worker();
            // Without any request yet there is no lifecycle; that reads as TERMINATED too.
            if (!BenchUser.isEnded(worker)) {
                return Optional.of("should be TERMINATED: " + worker);
            }
        }
        return strangers(serving);
    }

    /** Every process serves one of those users, or waits in the pool. */
    private Optional<String> strangers(Set<Long> serving) throws IOException {
        List<HostProcess> processes = HostProcess.of(stack);
        List<String> idle = RedisKeyspace.of(stack).idlePoolWorkers();
        Set<Long> left = new HashSet<>(serving);
        for (HostProcess process : processes) {
            boolean serves = left.remove(process.pid());
            if (!serves && idle.stream().noneMatch(process::isOfTask)) {
                return Optional.of("serves nobody, and is not in the pool: " + process);
            }
        }
        return left.isEmpty() ? Optional.empty() : Optional.of("said to serve, but gone: " + left);
    }
}
