package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counterparty of FIX accounts, and its habits. An order of a paper account must not reach the
 * counterparty of live ones, and no password may cross a network unencrypted.
 *
 * @param paper null when no paper account is served
 * @param live null when no live account is served
 * @param senderSubId null when the counterparty wants none
 * @param heartbeat between two messages at most
 * @param resetOnLogon whether both numbers begin anew with each logon
 * @param cancelsOnDisconnect whether the counterparty cancels orders when the connection ends
 * @param massStatus whether it lists the working orders (35=AF)
 * @param massCancel whether it cancels all with one request (35=q)
 * @param refusalWords parts of the text with which it refuses credentials
 */
public record FixSettings(
        @Nullable FixAddress paper,
        @Nullable FixAddress live,
        String targetCompId,
        @Nullable String senderSubId,
        boolean tls,
        Duration heartbeat,
        boolean resetOnLogon,
        boolean cancelsOnDisconnect,
        boolean massStatus,
        boolean massCancel,
        List<String> refusalWords) {
    private static final String PAPER = "BERTH_FIX_PAPER_ADDRESS";
    private static final String LIVE = "BERTH_FIX_LIVE_ADDRESS";
    private static final String TLS = "BERTH_FIX_TLS";
    private static final String HEARTBEAT = "BERTH_FIX_HEARTBEAT";
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String REFUSALS = "credential,password,authenticat,unauthori,not authori";

    private static final Pattern COMP_ID = Pattern.compile("[!-~]{1,64}");

    public FixSettings {
        refusalWords = List.copyOf(refusalWords);
        requireCompId("BERTH_FIX_TARGET_COMP_ID", targetCompId);
        if (senderSubId != null) {
            requireCompId("BERTH_FIX_SENDER_SUB_ID", senderSubId);
        }
        if (heartbeat.compareTo(SHORTEST) < 0 || heartbeat.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(HEARTBEAT + " is PT5S to PT30S, not " + heartbeat + ".");
        }
    }

    private static void requireCompId(String name, String value) {
        if (!COMP_ID.matcher(value).matches()) {
            throw new IllegalArgumentException(name + " is 1 to 64 printable ASCII characters without spaces.");
        }
    }

    /**
     * Reads the environment.
     *
     * @throws IllegalArgumentException naming the variable that is wrong
     */
    public static FixSettings from(Map<String, String> environment) {
        String subId = environment.getOrDefault("BERTH_FIX_SENDER_SUB_ID", "");
        return new FixSettings(
                address(environment, PAPER),
                address(environment, LIVE),
                environment.getOrDefault("BERTH_FIX_TARGET_COMP_ID", "VENUE"),
                subId.isBlank() ? null : subId,
                flag(environment, TLS, true),
                heartbeat(environment.getOrDefault(HEARTBEAT, "PT10S")),
                flag(environment, "BERTH_FIX_RESET_ON_LOGON", false),
                flag(environment, "BERTH_FIX_CANCELS_ON_DISCONNECT", false),
                flag(environment, "BERTH_FIX_MASS_STATUS", true),
                flag(environment, "BERTH_FIX_MASS_CANCEL", true),
                words(environment.getOrDefault("BERTH_FIX_REFUSAL_WORDS", REFUSALS)));
    }

    private static @Nullable FixAddress address(Map<String, String> environment, String name) {
        String text = environment.getOrDefault(name, "");
        return text.isBlank() ? null : FixAddress.parse(name, text);
    }

    private static boolean flag(Map<String, String> environment, String name, boolean defaultValue) {
        String text = environment.getOrDefault(name, String.valueOf(defaultValue));
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " is true or false.");
        };
    }

    private static Duration heartbeat(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException noDuration) {
            throw new IllegalArgumentException(HEARTBEAT + " is a duration such as PT10S.", noDuration);
        }
    }

    private static List<String> words(String text) {
        return Stream.of(text.split(","))
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /**
     * The counterparty of the account.
     *
     * @throws RefusedException when no session may be opened; names the setting to change
     */
    FixAddress of(AccountKey account) throws RefusedException {
        if (paper != null && paper.equals(live)) {
            throw refused(account, PAPER + " and " + LIVE + " are the same server. Set each to its own.");
        }
        return switch (account.environment()) {
            case PAPER -> required(account, PAPER, paper);
            case LIVE -> {
                FixAddress address = required(account, LIVE, live);
                if (!tls && !address.isLoopback()) {
                    throw refused(account, TLS + " is false, and the live counterparty is on another machine.");
                }
                yield address;
            }
        };
    }

    private static FixAddress required(AccountKey account, String name, @Nullable FixAddress address)
            throws RefusedException {
        if (address == null) {
            throw refused(account, name + " is not set. Set it to the counterparty's host and port.");
        }
        return address;
    }

    private static RefusedException refused(AccountKey account, String why) {
        return new RefusedException(
                "No session of account " + account + " is opened: in the workers' task definition " + why);
    }

    /** Whether the text of a Logout says that the credentials are refused. */
    boolean isRefusal(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return refusalWords.stream().anyMatch(lower::contains);
    }
}
