package dev.berth.acceptance.verify;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The results for all promises.
 *
 * @param underWay the number of unanswered orders before their deadline
 */
public record Report(List<Finding> findings, long underWay) {
    static final List<Promise> PROMISES = List.of(
            new LostOrder(),
            new DoubledOrder(),
            new LateSend(),
            new DeniedOrder(),
            new Disagreement(),
            new TwoEffectiveWorkers(),
            new SecretLeak(),
            new ForeignAccount(),
            new ForeignAccess(),
            new SentAfterCancel(),
            new AccountMismatch(),
            new UnexplainedHoldings(),
            new LedgerGap());
    /** The text counts further evidence of a promise. */
    private static final int MOST_LINES = 20;

    static Report of(Evidence evidence) {
        return new Report(
                PROMISES.stream().map(promise -> promise.examine(evidence)).toList(), evidence.underWay());
    }

    public long broken() {
        return findings.stream().mapToLong(finding -> finding.broken().size()).sum();
    }

    boolean isQuiet() {
        return broken() == 0 && underWay == 0;
    }

    /** One line of evidence per breach. */
    public List<String> evidence() {
        return findings.stream().flatMap(finding -> finding.broken().stream()).toList();
    }

    public String text() {
        StringBuilder text = new StringBuilder("%-66s %9s %7s%n".formatted("promise", "looked at", "broken"));
        for (Finding finding : findings) {
            text.append("%-66s %9s %7s%n"
                    .formatted(
                            finding.says(), finding.checked(), finding.broken().size()));
            lines(text, "  BROKEN ", finding.broken());
            lines(text, "  note: ", finding.notes());
        }
        if (underWay > 0) {
            text.append("%s orders are under way and have time left.%n".formatted(underWay));
        }
        text.append(broken() == 0 ? "No promise is broken." : broken() + " times a promise is broken.");
        return text.toString();
    }

    private static void lines(StringBuilder text, String head, List<String> lines) {
        lines.stream().limit(MOST_LINES).forEach(line -> text.append("%s%s%n".formatted(head, line)));
        if (lines.size() > MOST_LINES) {
            text.append("%s%s more; -o json has all%n".formatted(head, lines.size() - MOST_LINES));
        }
    }

    String json() {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("broken", broken()).put("underWay", underWay);
        ArrayNode promises = json.putArray("promises");
        for (Finding finding : findings) {
            ObjectNode one = promises.addObject()
                    .put("promise", finding.promise())
                    .put("says", finding.says())
                    .put("lookedAt", finding.checked());
            finding.broken().forEach(one.putArray("broken")::add);
            finding.notes().forEach(one.putArray("notes")::add);
        }
        return json.toPrettyString();
    }
}
