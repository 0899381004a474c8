package dev.berth.local.venue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Faults of the venue, and exceptions from its {@link VenueRules}. An
 * {@link IllegalArgumentException} if a value is out of range.
 *
 * @param delayMillis delay before each submission is processed
 * @param hold whether each submission first waits until faults are set again
 * @param hang probability (0 to 1) of no response and no booking
 * @param refuse probability of a 403 without a booking
 * @param serverError probability of a 500 without a booking
 * @param dropAnswer probability of a booking with a cut connection instead of a response
 * @param replaceError probability that a replacement is booked and answered with a 500
 * @param requestsPerMinute of one account, instead of the rules'; 0: no limit
 * @param tooManyRequests whether every request is refused with 429, without a count
 * @param streamReapMillis instead of the rules'
 * @param secondStream of an account; null: it is not served
 * @param streams how streams are authorized; null: by their credentials
 * @param mute whether streams answer pings and send no updates
 * @param swapUpdates probability that an update is sent after the account's next one
 * @param repeatUpdates probability that an update is sent twice
 * @param silent probability that an order is accepted and the stream never says a word of it
 * @param fixDuplicateReports probability that a FIX report is sent again, with PossResend (97) and
 *     a number of its own
 * @param fixSequenceGap probability that FIX skips a number before it sends a message
 * @param fixDisconnect probability that a FIX connection is cut at an application message, before
 *     the venue reads it or after the venue carried it out
 * @param fixResendRequest probability that FIX asks for all messages again after one
 * @param foreignOrders what every list of orders has besides the account's own
 * @param answers of a proxy in front of the venue; the first that is drawn counts
 * @param revoked key ids whose credentials are refused
 * @param seed makes draws repeatable; null for random ones
 */
record VenueFaults(
        long delayMillis,
        boolean hold,
        double hang,
        double refuse,
        double serverError,
        double dropAnswer,
        double replaceError,
        @Nullable Integer requestsPerMinute,
        boolean tooManyRequests,
        @Nullable Long streamReapMillis,
        @Nullable SecondStream secondStream,
        @Nullable StreamAuthorization streams,
        boolean mute,
        double swapUpdates,
        double repeatUpdates,
        double silent,
        double fixDuplicateReports,
        double fixSequenceGap,
        double fixDisconnect,
        double fixResendRequest,
        List<JsonNode> foreignOrders,
        List<ProxyAnswer> answers,
        @Nullable List<String> revoked,
        @Nullable Long seed) {

    static final VenueFaults NONE = new VenueFaults(
            0, false, 0, 0, 0, 0, 0, null, false, null, null, null, false, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(),
            null, null);

    VenueFaults {
        if (delayMillis < 0) {
            throw new IllegalArgumentException("delayMillis must not be negative");
        }
        requireProbability("hang", hang);
        requireProbability("refuse", refuse);
        requireProbability("serverError", serverError);
        requireProbability("dropAnswer", dropAnswer);
        requireProbability("replaceError", replaceError);
        requireProbability("swapUpdates", swapUpdates);
        requireProbability("repeatUpdates", repeatUpdates);
        requireProbability("silent", silent);
        requireProbability("fixDuplicateReports", fixDuplicateReports);
        requireProbability("fixSequenceGap", fixSequenceGap);
        requireProbability("fixDisconnect", fixDisconnect);
        requireProbability("fixResendRequest", fixResendRequest);
        foreignOrders = foreignOrders == null ? List.of() : List.copyOf(foreignOrders);
        answers = answers == null ? List.of() : List.copyOf(answers);
        revoked = revoked == null ? null : List.copyOf(revoked);
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be between 0 and 1");
        }
    }

    /** The rules with these exceptions. */
    VenueRules apply(VenueRules rules) {
        return new VenueRules(
                Objects.requireNonNullElse(requestsPerMinute, rules.requestsPerMinute()),
                streamReapMillis == null ? rules.streamReap() : Duration.ofMillis(streamReapMillis));
    }

    boolean isRevoked(String keyId) {
        return revoked != null && revoked.contains(keyId);
    }
}
