package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of Alpaca's Trading API for paper and live accounts. An order of a paper account
 * must
 * not reach the live endpoint, and no key may cross a network unencrypted.
 *
 * @param live null when no live account is served
 */
public record AlpacaEndpoints(URI paper, @Nullable URI live) {
    private static final String PAPER_URL = "BERTH_ALPACA_PAPER_URL";
    private static final String LIVE_URL = "BERTH_ALPACA_LIVE_URL";
    /** https://docs.alpaca.markets/docs/paper-trading. */
    private static final String ALPACA_LIVE_HOST = "api.alpaca.markets";

    /** Alpaca's documents name its endpoints with the version, which stands in every path here. */
    private static final Pattern VERSION = Pattern.compile("/+(v2/*)?$");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");

    public AlpacaEndpoints {
        requireHttp(PAPER_URL, paper);
        if (live != null) {
            requireHttp(LIVE_URL, live);
        }
    }

    /**
     * Reads both from the environment.
     *
     * @throws IllegalArgumentException naming the variable that is missing or wrong
     */
    public static AlpacaEndpoints from(Map<String, String> environment) {
        String paper = environment.getOrDefault(PAPER_URL, "");
        String live = environment.getOrDefault(LIVE_URL, "");
        if (paper.isBlank()) {
            throw new IllegalArgumentException(
                    PAPER_URL + " is not set. A worker is started by ECS, whose task definition sets it.");
        }
        return new AlpacaEndpoints(url(PAPER_URL, paper), live.isBlank() ? null : url(LIVE_URL, live));
    }

    private static URI url(String name, String text) {
        try {
            return new URI(VERSION.matcher(text).replaceFirst(""));
        } catch (URISyntaxException unredacted) {
            throw invalidUrl(name);
        }
    }

    /**
     * The endpoint of the account.
     *
     * @throws RefusedException when no session may be opened; names the setting to change
     */
    URI of(AccountKey account) throws RefusedException {
        if (live != null && server(live).equals(server(paper))) {
            throw refused(account, PAPER_URL + " and " + LIVE_URL + " are the same server. Set each to its own.");
        }
        return switch (account.environment()) {
            case PAPER -> {
                if (host(paper).equals(ALPACA_LIVE_HOST)) {
                    throw refused(
                            account,
                            PAPER_URL + " is " + ALPACA_LIVE_HOST
                                    + ", where orders cost real money. Set it to Alpaca's endpoint for paper.");
                }
                yield paper;
            }
            case LIVE -> {
                if (live == null) {
                    throw refused(account, LIVE_URL + " is not set. Set it to https://" + ALPACA_LIVE_HOST + ".");
                }
                if (!isEncrypted(live) && !LOOPBACK.matcher(host(live)).matches()) {
                    throw refused(
                            account, LIVE_URL + " is plain http. Set it to an address that begins with https://.");
                }
                yield live;
            }
        };
    }

    private static RefusedException refused(AccountKey account, String why) {
        return new RefusedException(
                "No session of account " + account + " is opened: in the workers' task definition " + why);
    }

    private static boolean isEncrypted(URI endpoint) {
        return "https".equalsIgnoreCase(endpoint.getScheme());
    }

    /** A host name may end with a dot, and is case-insensitive. */
    private static String host(URI endpoint) {
        return endpoint.getHost().toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
    }

    private static String server(URI endpoint) {
        int port = endpoint.getPort() >= 0 ? endpoint.getPort() : isEncrypted(endpoint) ? 443 : 80;
        return host(endpoint) + ":" + port;
    }

    /** The message does not quote the value: it may contain a password. */
    private static void requireHttp(String name, URI endpoint) {
        String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
        boolean isAddress = endpoint.getHost() != null && endpoint.getQuery() == null && endpoint.getFragment() == null;
        if (!isAddress || !(scheme.equals("http") || scheme.equals("https"))) {
            throw invalidUrl(name);
        }
    }

    private static IllegalArgumentException invalidUrl(String name) {
        return new IllegalArgumentException(name + " must be a URL such as https://broker.example.");
    }
}
