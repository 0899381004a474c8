package dev.berth.activities.account;

import dev.berth.activities.account.AccountStatement.Asset;
import dev.berth.activities.account.AccountStatement.Entry;
import dev.berth.activities.account.AccountStatement.Line;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up what happened to each asset of an account between two reports. */
final class StatementSum {
    /** Reported amounts are rounded to 9 digits. */
    private static final int DIFFERENCE_DIGITS = 8;

    private static final String FEE = "FEE";
    private static final String PAIR = "/";
    /** Their quantity is what they were paid for, and does not move. */
    private static final List<String> MONEY_ONLY = List.of("DIV", "INT");

    private final AccountHolding start;
    private final AccountHolding end;
    private final Map<String, List<Line>> moves = new TreeMap<>();

    StatementSum(AccountHolding start, AccountHolding end) {
        this.start = start;
        this.end = end;
    }

    /**
     * Executions of one symbol.
     *
     * @param quantity that came; negative when it left
     * @param value that came for it; negative when it was paid
     */
    record Trade(String symbol, long count, BigDecimal quantity, BigDecimal value) {
        static Trade of(ResultSet row) throws SQLException {
            boolean isBuy = row.getString("side").equals("buy");
            BigDecimal quantity = row.getBigDecimal("quantity");
            BigDecimal value = row.getBigDecimal("value");
            return new Trade(
                    row.getString("symbol"),
                    row.getLong("count"),
                    isBuy ? quantity : quantity.negate(),
                    isBuy ? value.negate() : value);
        }

        Trade reversed() {
            return new Trade(symbol, count, quantity.negate(), value.negate());
        }
    }

    void trade(Entry entry, Trade trade) {
        add(base(trade.symbol), new Line(entry, null, trade.count, trade.quantity));
        add(quote(trade.symbol), new Line(entry, null, trade.count, trade.value));
    }

    void fee(String currency, long count, BigDecimal fee) {
        add(asset(currency), new Line(Entry.FEES, null, count, fee.negate()));
    }

    void activity(String kind, @Nullable String symbol, long count, BigDecimal quantity, BigDecimal amount) {
        Entry entry = kind.endsWith(FEE) ? Entry.FEES : Entry.ACTIVITY;
        String word = entry == Entry.FEES ? null : kind;
        if (amount.signum() != 0) {
            add(start.currency(), new Line(entry, word, count, amount));
        }
        if (symbol != null && quantity.signum() != 0 && MONEY_ONLY.stream().noneMatch(kind::startsWith)) {
            add(base(symbol), new Line(entry, word, count, quantity));
        }
    }

    private void add(String asset, Line line) {
        List<Line> lines = moves.computeIfAbsent(asset, _ -> new ArrayList<>());
        for (int index = 0; index < lines.size(); index++) {
            Line known = lines.get(index);
            if (known.entry() == line.entry() && Objects.equals(known.kind(), line.kind())) {
                lines.set(
                        index,
                        new Line(
                                known.entry(),
                                known.kind(),
                                known.count() + line.count(),
                                known.amount().add(line.amount())));
                return;
            }
        }
        lines.add(line);
    }

    /** What a trade in the symbol brings: BTC of BTC/USD, else the symbol itself. */
    private String base(String symbol) {
        int slash = symbol.indexOf(PAIR);
        return slash < 0 ? symbol : asset(symbol.substring(0, slash));
    }

    private String quote(String symbol) {
        int slash = symbol.indexOf(PAIR);
        return slash < 0 ? start.currency() : asset(symbol.substring(slash + 1));
    }

    /** A currency that the broker does not tell as money is a position, such as BTC/USD. */
    private String asset(String currency) {
        return start.currencies().contains(currency) || end.currencies().contains(currency)
                ? currency
                : currency + PAIR + start.currency();
    }

    List<Asset> assets() {
        return Stream.of(start.amounts().keySet(), end.amounts().keySet(), moves.keySet())
                .flatMap(Collection::stream)
                .distinct()
                .sorted(Comparator.<String, Boolean>comparing(name -> !name.equals(start.currency()))
                        .thenComparing(Comparator.naturalOrder()))
                .map(this::assetOf)
                .toList();
    }

    private Asset assetOf(String name) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line(Entry.START, start.amount(name)));
        moves.getOrDefault(name, List.of()).stream()
                .sorted(Comparator.comparing(Line::entry)
                        .thenComparing(Line::kind, Comparator.nullsFirst(Comparator.naturalOrder())))
                .forEach(lines::add);
        BigDecimal sum = lines.stream().map(Line::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
        lines.add(new Line(Entry.END, sum));
        lines.add(new Line(Entry.REPORTED, end.amount(name)));
        BigDecimal difference = end.amount(name).subtract(sum).setScale(DIFFERENCE_DIGITS, RoundingMode.HALF_EVEN);
        lines.add(new Line(Entry.DIFFERENCE, difference));
        return new Asset(name, lines);
    }
}
