package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Runs one of QuickFIX's definitions of a server against a venue. A line connects ({@code i}),
 * sends ({@code I}), expects a message ({@code E}) or the end of the connection ({@code e}).
 *
 * <p>The client TW becomes a new account for each connection that does not share one, ISLD becomes
 * the venue, and a logon has the account's password. Where the definition expects its order back,
 * the venue reports instead: then only the fields of the session are compared.
 */
final class FixDefinition implements AutoCloseable {
    private static final Pattern LINE = Pattern.compile("([iIeE])(\\d+,)?(.*)", Pattern.DOTALL);
    private static final Pattern WHOLE =
            Pattern.compile("(8=FIXT?\\.\\d\\.\\d\u0001)(.*?\u0001)(10=.*|)", Pattern.DOTALL);
    private static final Pattern TIME = Pattern.compile("<TIME([+-]\\d+)?>");

    /** Of the checksum, the lengths and the clock. */
    private static final Set<Integer> NOT_COMPARED = Set.of(8, 9, 10, 52, 60, 122);

    private static final Set<Integer> OF_THE_SESSION = Set.of(34, 43, 49, 56);

    private final PaperVenue venue;
    private final Supplier<String> accounts;
    private final Map<String, RawFixClient> connections = new HashMap<>();
    private String account;

    /** @param accounts a name of two letters that was not used before, as long as the client's */
    FixDefinition(PaperVenue venue, Supplier<String> accounts) {
        this.venue = venue;
        this.accounts = accounts;
        this.account = accounts.get();
    }

    void run(Path file) throws IOException {
        for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).split("\r?\n", -1)) {
            var step = LINE.matcher(line);
            if (step.matches()) {
                run(step.group(1), Objects.requireNonNullElse(step.group(2), "1,"), step.group(3));
            }
        }
    }

    private void run(String kind, String client, String text) throws IOException {
        switch (kind) {
            case "i" -> connect(client);
            case "I" -> connection(client).sendText(outgoing(text));
            case "E" -> expect(text, connection(client).receiveAny());
            default -> expectEnd(connection(client));
        }
    }

    private RawFixClient connection(String client) {
        return Objects.requireNonNull(connections.get(client), client);
    }

    private void connect(String client) throws IOException {
        if (connections.containsKey(client)) {
            account = accounts.get();
        }
        var before = connections.put(client, new RawFixClient(venue.fixPort(), account, 1));
        if (before != null) {
            before.close();
        }
    }

    /** As the definitions' authors complete a line: with a length and a checksum if it has none. */
    private String outgoing(String line) {
        var text = ours(line);
        var whole = WHOLE.matcher(text);
        if (whole.matches()) {
            var body = insertTimes(whole.group(2));
            if (body.contains("35=A\u0001")) {
                body += "554=paper-" + account + "\u0001";
            }
            var length = body.startsWith("9=") ? "" : "9=" + body.length() + "\u0001";
            var checksum = whole.group(3).equals("10=0\u0001") ? "10=000\u0001" : whole.group(3);
            text = whole.group(1) + length + body + checksum;
        }
        return text.contains("\u000110=")
                ? text
                : text + String.format(Locale.ROOT, "10=%03d\u0001", RawFixClient.checksum(text));
    }

    private String ours(String line) {
        return line.replace("49=TW\u0001", "49=" + account + "\u0001")
                .replace("56=TW\u0001", "56=" + account + "\u0001")
                .replace("49=ISLD\u0001", "49=VENUE\u0001")
                .replace("56=ISLD\u0001", "56=VENUE\u0001");
    }

    private static String insertTimes(String text) {
        return TIME.matcher(text).replaceAll(FixDefinition::time);
    }

    /** An offset of seconds is a little more than that. */
    private static String time(MatchResult time) {
        long offset = time.group(1) == null ? 0 : Long.parseLong(time.group(1)) * 1100;
        return RawFixClient.TIME.format(LocalDateTime.now(ZoneOffset.UTC).plusNanos(offset * 1_000_000));
    }

    private void expect(String line, FixFields actual) {
        var expected = FixFields.parse(ours(line));
        boolean echo = expected.type().equals("D") && Set.of("8", "j").contains(actual.type());
        for (int tag : OF_THE_SESSION) {
            assertThat(actual.get(tag))
                    .as("tag %s of %s for %s", tag, actual, line)
                    .isEqualTo(expected.get(tag));
        }
        if (echo) {
            return;
        }
        assertThat(actual.fields().keySet().stream().filter(tag -> !NOT_COMPARED.contains(tag)))
                .as(line)
                .containsExactlyInAnyOrderElementsOf(expected.fields().keySet().stream()
                        .filter(tag -> !NOT_COMPARED.contains(tag))
                        .toList());
        expected.fields().forEach((tag, value) -> {
            if (tag == 58) {
                assertThat(actual.get(58)).startsWith(value);
            } else if (!NOT_COMPARED.contains(tag)) {
                assertThat(actual.get(tag)).as("tag %s of %s", tag, actual).isEqualTo(value);
            }
        });
    }

    /** The venue may say why, in a Logout. */
    private static void expectEnd(RawFixClient connection) throws IOException {
        for (var last = connection.read(); last != null; last = connection.read()) {
            assertThat(last.type()).isEqualTo("5");
        }
    }

    @Override
    public void close() throws IOException {
        for (var connection : connections.values()) {
            connection.close();
        }
    }
}
