package dev.berth.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes calls of the server: the last gate, the journal, and the broker. One for all
 * connections.
 */
final class JournaledCalls {
    private static final Logger LOG = LoggerFactory.getLogger(JournaledCalls.class);
    private static final Set<String> WRITES = Set.of("send", "replace", "cancel");
    private static final int LONGEST_DETAIL = 500;

    private final Broker broker;
    private final Set<String> accounts;
    private final CallJournal journal;
    private final LatestServerTime clock;
    private final Map<String, CompletableFuture<JsonNode>> underWay = new ConcurrentHashMap<>();
    /** How many calls write an order version now. */
    private final Map<String, Integer> writing = new HashMap<>();

    private long highestEpoch;

    JournaledCalls(Broker broker, Set<String> accounts, CallJournal journal, LatestServerTime clock) {
        this.broker = broker;
        this.accounts = Set.copyOf(accounts);
        this.journal = journal;
        this.clock = clock;
    }

    /** A frame {@code call}. */
    record Call(String id, String method, String account, long epoch, Instant deadline, JsonNode body) {
        static Call of(JsonNode frame) {
            return new Call(
                    SdkFrames.text(frame, "callId"),
                    SdkFrames.text(frame, "method"),
                    SdkFrames.text(frame, "account"),
                    frame.required("epoch").asLong(),
                    Instant.parse(SdkFrames.text(frame, "deadline")),
                    frame.required("body"));
        }

        boolean writes() {
            return WRITES.contains(method);
        }

        String version() {
            return body.path(method.equals("replace") ? "next" : "clientOrderId")
                    .asText();
        }
    }

    /** Calls of workers with a lower epoch are not executed from now on. */
    synchronized long raiseEpoch(long epoch) {
        highestEpoch = Math.max(highestEpoch, epoch);
        return highestEpoch;
    }

    /**
     * The frame {@code answer}, when the call is over.
     *
     * @param serves whether the connection that it came over is the latest
     */
    ObjectNode answer(Call call, BooleanSupplier serves) throws InterruptedException {
        ObjectNode answer = SdkFrames.frame("answer").put("callId", call.id());
        answer.setAll((ObjectNode) (call.writes() ? joined(call, serves) : read(call, serves)));
        return answer;
    }

    private JsonNode read(Call call, BooleanSupplier serves) throws InterruptedException {
        ObjectNode objection = objection(call, serves);
        if (objection != null) {
            return unknown(SdkFrames.text(objection, "detail"));
        }
        if (call.method().startsWith("find") && !awaitWriter(call)) {
            return unknown("a call of this machine may still write " + call.version());
        }
        return executed(call);
    }

    /** A repeat that comes while the call runs gets its answer. */
    private JsonNode joined(Call call, BooleanSupplier serves) {
        CompletableFuture<JsonNode> mine = new CompletableFuture<>();
        CompletableFuture<JsonNode> running = underWay.putIfAbsent(call.id(), mine);
        if (running != null) {
            return running.join();
        }
        JsonNode outcome = unknown("the call ended in an error of the SDK");
        try {
            outcome = once(call, serves);
            return outcome;
        } finally {
            underWay.remove(call.id());
            mine.complete(outcome);
        }
    }

    private JsonNode once(Call call, BooleanSupplier serves) {
        Optional<JsonNode> recorded = journal.answer(call.id());
        if (recorded.isPresent()) {
            return recorded.get();
        }
        // Before everything else: what may have been executed must not be called unsent.
        if (journal.isBegun(call.id())) {
            return unknown("the process ended while it executed this call");
        }
        ObjectNode objection = objection(call, serves);
        if (objection != null) {
            return objection;
        }
        beginWriting(call.version());
        try {
            journal.begin(call.id());
        } catch (IOException disk) {
            LOG.error("the journal cannot be written", disk);
            endWriting(call.version());
            return notSent("broker", "the journal of this machine cannot be written");
        }
        try {
            // The disk may have taken its time.
            ObjectNode late = objection(call, serves);
            JsonNode outcome = late == null ? executed(call) : late;
            journal.end(call.id(), outcome);
            return outcome;
        } finally {
            endWriting(call.version());
        }
    }

    private synchronized void beginWriting(String version) {
        writing.merge(version, 1, Integer::sum);
    }

    private synchronized void endWriting(String version) {
        writing.computeIfPresent(version, (_, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    /** False when a call may still write the version at the deadline of this one. */
    private synchronized boolean awaitWriter(Call call) throws InterruptedException {
        while (writing.containsKey(call.version())) {
            long left = Duration.between(clock.now(), call.deadline()).toMillis();
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Why the call must not be executed, if so. The last gate before the broker. */
    private @Nullable ObjectNode objection(Call call, BooleanSupplier serves) {
        if (!accounts.contains(call.account())) {
            return notSent("broker", call.account() + " is not served here");
        }
        long highest = raiseEpoch(call.epoch());
        if (call.epoch() < highest) {
            return notSent("epoch", "a worker with epoch " + highest + " has taken over");
        }
        if (!serves.getAsBoolean()) {
            return notSent("connection", "a later connection of this machine serves");
        }
        return clock.now().isBefore(call.deadline()) ? null : notSent("deadline", "the deadline has passed");
    }

    private JsonNode executed(Call call) {
        try {
            return execute(call);
        } catch (Broker.NotSentException notSent) {
            String why = String.valueOf(notSent.getMessage());
            return call.writes() ? notSent("broker", why) : unknown(why);
        } catch (Broker.RefusedException refused) {
            return SdkFrames.outcome("refused").put("detail", shortened(String.valueOf(refused.getMessage())));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return unknown("interrupted");
        } catch (IOException | RuntimeException failed) {
            LOG.warn("{}: outcome unknown", call.method(), failed);
            return unknown(failed.toString());
        }
    }

    private JsonNode execute(Call call) throws IOException, InterruptedException {
        String account = call.account();
        return switch (call.method()) {
            case "send" -> SdkFrames.found(Optional.of(broker.send(account, SdkFrames.order(call.body()))));
            case "replace" -> SdkFrames.found(Optional.of(broker.replace(account, SdkFrames.replacement(call.body()))));
            case "cancel" -> SdkFrames.found(broker.cancel(account, call.version()));
            case "find" -> SdkFrames.found(broker.find(account, call.version()));
            case "findExecutions" -> SdkFrames.found(broker.findExecutions(account, call.version()));
            case "hasWorkingOrders" -> SdkFrames.outcome("working").put("working", broker.hasWorkingOrders(account));
            case "ping" -> {
                broker.ping(account);
                yield SdkFrames.outcome("done");
            }
            default -> unknown("this SDK does not know the method " + call.method());
        };
    }

    private static ObjectNode notSent(String cause, String detail) {
        return SdkFrames.outcome("notSent").put("cause", cause).put("detail", shortened(detail));
    }

    static ObjectNode unknown(String detail) {
        return SdkFrames.outcome("unknown").put("detail", shortened(detail));
    }

    private static String shortened(String detail) {
        return detail.substring(0, Math.min(detail.length(), LONGEST_DETAIL));
    }
}
