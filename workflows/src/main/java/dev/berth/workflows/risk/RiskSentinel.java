package dev.berth.workflows.risk;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands at {@code fleet:loaded}: which version of PostgreSQL's switches and limits Redis has
 * a copy of, and a digest of the switches in it. A copy from which a switch was removed by hand
 * does not agree with its sentinel, and the gates hold. The digest is no signature: what it does
 * not notice, the comparison with PostgreSQL does.
 */
public record RiskSentinel(long version, String digest) {
    /**
     * The function {@code agrees(sentinel, key)} of Lua: whether the hash at the key is the one
     * that the sentinel was written for. It sorts by bytes, since Lua's own order of texts follows
     * the server's locale.
     */
    static final String LUA = """
            local function before(a, b)
              for i = 1, math.min(#a, #b) do
                local x, y = string.byte(a, i), string.byte(b, i)
                if x ~= y then return x < y end
              end
              return #a < #b
            end
            local function agrees(sentinel, key)
              local version, digest = string.match(sentinel, '^(%d+) (%x+)$')
              if not version or #version > 18 then return false end
              local flat = redis.call('HGETALL', key)
              local names, values = {}, {}
              for i = 1, #flat, 2 do
                names[#names + 1] = flat[i]
                values[flat[i]] = flat[i + 1]
              end
              table.sort(names, before)
              local lines = {}
              for i = 1, #names do lines[i] = names[i] .. '\\n' .. values[names[i]] .. '\\n' end
              return redis.sha1hex(table.concat(lines)) == digest
            end
            """;

    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) ([0-9a-f]{40})");

    /** The sentinel of a copy with these switches, each as JSON by its name. */
    public static RiskSentinel of(long version, Map<String, String> switches) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(switches)
                .forEach((name, json) ->
                        lines.append(name).append('\n').append(json).append('\n'));
        return new RiskSentinel(version, sha1(lines.toString()));
    }

    /** Empty when the text is not a sentinel. */
    public static Optional<RiskSentinel> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new RiskSentinel(Long.parseLong(form.group(1)), form.group(2)))
                : Optional.empty();
    }

    /** Whether these are the switches that it was written for. */
    public boolean agreesWith(Map<String, String> switches) {
        return equals(of(version, switches));
    }

    private static String sha1(String text) {
        try {
            // The one digest that scripts of Redis can compute.
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** As it stands in Redis. */
    @Override
    public String toString() {
        return version + " " + digest;
    }
}
