package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.activities.account.AccountStatement;
import dev.berth.activities.account.AccountStatement.Entry;
import dev.berth.rest.CsvText;
import dev.berth.workflows.broker.AccountKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How an account became what it was at the end of a day.
 *
 * @param date the day, UTC
 * @param complete whether the day is over
 * @param from asOf of the report that it begins with; what was executed then or later is in it
 * @param to asOf of the day's last report; what was executed then or later is in the next one
 * @param assets the account's currency first, then other currencies and positions by name
 */
record StatementView(
        AccountKey account, LocalDate date, boolean complete, Instant from, Instant to, List<AssetView> assets) {
    private static final List<String> HEADER = List.of("asset", "line", "kind", "count", "amount");

    /** One currency or position: start, what happened, end as their sum, what was reported. */
    record AssetView(String asset, List<LineView> lines) {}

    /** What a line says. */
    enum LineName {
        @JsonProperty("start")
        START,
        @JsonProperty("fills")
        FILLS,
        @JsonProperty("busts")
        BUSTS,
        @JsonProperty("fees")
        FEES,
        @JsonProperty("activity")
        ACTIVITY,
        @JsonProperty("end")
        END,
        @JsonProperty("reported")
        REPORTED,
        @JsonProperty("difference")
        DIFFERENCE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One line. The amount is a decimal string, negative for what left.
     *
     * @param kind the broker's word for an activity; absent for any other line
     * @param count of the executions, fees or activities; absent for any other line
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record LineView(
            LineName line, @Nullable String kind, @Nullable Long count, String amount) {
        private static LineView of(AccountStatement.Line line) {
            boolean isSum = switch (line.entry()) {
                case FILLS, BUSTS, FEES, ACTIVITY -> true;
                case START, END, REPORTED, DIFFERENCE -> false;
            };
            return new LineView(name(line.entry()), line.kind(), isSum ? line.count() : null, plain(line.amount()));
        }

        private static LineName name(Entry entry) {
            return switch (entry) {
                case START -> LineName.START;
                case FILLS -> LineName.FILLS;
                case BUSTS -> LineName.BUSTS;
                case FEES -> LineName.FEES;
                case ACTIVITY -> LineName.ACTIVITY;
                case END -> LineName.END;
                case REPORTED -> LineName.REPORTED;
                case DIFFERENCE -> LineName.DIFFERENCE;
            };
        }

        private static String plain(BigDecimal amount) {
            return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
        }
    }

    static StatementView of(AccountStatement statement) {
        return new StatementView(
                statement.account(),
                statement.day(),
                statement.complete(),
                statement.from(),
                statement.to(),
                statement.assets().stream()
                        .map(asset -> new AssetView(
                                asset.name(),
                                asset.lines().stream().map(LineView::of).toList()))
                        .toList());
    }

    String csv() {
        CsvText csv = new CsvText().line(HEADER);
        assets.forEach(asset -> asset.lines.forEach(
                line -> csv.line(Arrays.asList(asset.asset, line.line.word(), line.kind, line.count, line.amount))));
        return csv.toString();
    }
}
