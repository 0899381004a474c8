package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.FixCredentials;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counterparty of FIX accounts, and its habits. An order of a paper account must not reach the
 * counterparty of live ones, and no password may cross a network unencrypted. An account may name
 * a counterparty of its own, but only one that is allowed: a worker reaches more than a user may.
 *
 * @param paper of the paper accounts that name none; null: they have none
 * @param live the same for live accounts
 * @param paperAllowed what paper accounts may name besides
 * @param liveAllowed the same for live accounts
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
        List<FixAddressPattern> paperAllowed,
        List<FixAddressPattern> liveAllowed,
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
    private static final String PAPER_ALLOWED = "BERTH_FIX_PAPER_ALLOWED";
    private static final String LIVE_ALLOWED = "BERTH_FIX_LIVE_ALLOWED";
    private static final String TLS = "BERTH_FIX_TLS";
    private static final String HEARTBEAT = "BERTH_FIX_HEARTBEAT";
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String REFUSALS = "credential,password,authenticat,unauthori,not authori";

    private static final Pattern COMP_ID = Pattern.compile("[!-~]{1,64}");

    public FixSettings {
        paperAllowed = List.copyOf(paperAllowed);
        liveAllowed = List.copyOf(liveAllowed);
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
                FixAddressPattern.parse(PAPER_ALLOWED, environment.getOrDefault(PAPER_ALLOWED, "")),
                FixAddressPattern.parse(LIVE_ALLOWED, environment.getOrDefault(LIVE_ALLOWED, "")),
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
     * The counterparty of the account: what the account says, and else these settings.
     *
     * @throws RefusedException when no session may be opened; names the setting to change
     */
    FixCounterparty of(AccountKey account, BrokerCredentials credentials) throws RefusedException {
        FixAddress address = addressOf(account, credentials);
        boolean encrypts = credentials
                .field(FixCredentials.TLS)
                .map(Boolean::valueOf)
                .orElse(tls || FixTls.isNamedBy(credentials));
        if (account.environment() == Environment.LIVE && !encrypts && !address.isLoopback()) {
            throw refused(
                    account,
                    TLS + " is false, or tls of the account is, and the live counterparty is on another machine.");
        }
        return new FixCounterparty(
                address,
                encrypts ? FixTls.of(credentials) : null,
                credentials.field(FixCredentials.SENDER_SUB_ID).orElse(senderSubId),
                credentials.field(FixCredentials.TARGET_COMP_ID).orElse(targetCompId),
                credentials);
    }

    /**
     * Where the account's counterparty is.
     *
     * @throws RefusedException as {@link #of}
     */
    public FixAddress addressOf(AccountKey account, BrokerCredentials credentials) throws RefusedException {
        if (paper != null && paper.equals(live)) {
            throw refused(account, PAPER + " and " + LIVE + " are the same server. Set each to its own.");
        }
        boolean isLive = account.environment() == Environment.LIVE;
        Optional<String> host = credentials.field(FixCredentials.HOST);
        if (host.isEmpty()) {
            return required(account, isLive ? LIVE : PAPER, isLive ? live : paper);
        }
        int port = credentials.field(FixCredentials.PORT).map(Integer::valueOf).orElse(0);
        FixAddress named = new FixAddress(host.get(), port);
        if (!isServed(named, isLive) || isServed(named, !isLive)) {
            throw refused(
                    account,
                    (isLive ? LIVE_ALLOWED : PAPER_ALLOWED) + " does not have the host and port that the account names,"
                            + " or the other environment has them, too.");
        }
        return named;
    }

    private boolean isServed(FixAddress address, boolean isLive) {
        return address.equals(isLive ? live : paper)
                || (isLive ? liveAllowed : paperAllowed).stream().anyMatch(pattern -> pattern.matches(address));
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
