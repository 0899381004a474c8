package dev.berth.acceptance.stack;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The orders in the paper venue's book, and the submissions that reached the venue. */
public record VenueLog(RestClient venue) {
    public static VenueLog of(Stack stack) {
        return new VenueLog(stack.venue());
    }

    /**
     * An order in the book.
     *
     * @param account the key id of the sending account
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Order(
            String id,
            String account,
            String clientOrderId,
            String symbol,
            String side,
            String status,
            Instant updatedAt,
            BigDecimal qty,
            @Nullable BigDecimal limitPrice,
            @Nullable BigDecimal filledQty,
            List<Fill> fills) {
        public BigDecimal filled() {
            return fills.stream().map(Fill::qty).reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    /**
     * An execution.
     *
     * @param fee in what the order received; null without one
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Fill(
            String executionId,
            BigDecimal qty,
            BigDecimal price,
            @Nullable BigDecimal fee) {}

    /**
     * A submission.
     *
     * @param account the key id that the submission named
     * @param epoch of the sending worker; null when no worker of Berth sent it
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Arrival(
            @Nullable String account,
            @Nullable String clientOrderId,
            Instant time,
            @Nullable Long epoch,
            String verdict) {}

    /**
     * A FIX session.
     *
     * @param nextSender number of the venue's next message
     * @param nextTarget number of the account's next message
     * @param logons that came since the start of the venue, also those that were refused
     */
    public record FixSession(String account, boolean connected, int nextSender, int nextTarget, int logons) {}

    /** Every order that the venue accepted. */
    public List<Order> orders() throws IOException, InterruptedException {
        return read("book").list("orders", Order.class);
    }

    /** Every submission, oldest first. */
    public List<Arrival> arrivals() throws IOException, InterruptedException {
        return read("arrivals").list("arrivals", Arrival.class);
    }

    /** The FIX session of each account that has logged on. */
    public List<FixSession> fixSessions() throws IOException, InterruptedException {
        return read("fix").list("sessions", FixSession.class);
    }

    private JsonResponse read(String what) throws IOException, InterruptedException {
        JsonResponse answer = venue.call("GET", "/_control/" + what, null);
        if (answer.status() != 200) {
            throw new IOException("the venue answers " + answer.status() + " to /_control/" + what);
        }
        return answer;
    }
}
