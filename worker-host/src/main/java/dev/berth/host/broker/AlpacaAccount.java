package dev.berth.host.broker;

import static dev.berth.host.broker.AlpacaFields.number;
import static dev.berth.host.broker.AlpacaFields.optional;
import static dev.berth.host.broker.AlpacaFields.signed;
import static dev.berth.host.broker.AlpacaFields.text;
import static dev.berth.host.broker.AlpacaFields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.account.AccountActivity;
import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.account.AccountBalances.CurrencyBalance;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads an account: three requests, and none for its open orders, which the stream reports. */
record AlpacaAccount(
        AlpacaHttp http, AccountKey account, AlpacaOpenOrders open, AlpacaOpenOrderPages pages, Duration callLimit) {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaAccount.class);
    private static final List<String> RESTRICTIONS =
            List.of("account_blocked", "trading_blocked", "transfers_blocked", "trade_suspended_by_user");

    private static final String ACTIVE = "ACTIVE";
    private static final String CRYPTO = "crypto";
    /** https://docs.alpaca.markets/docs/crypto-trading#supported-assets; the longest first. */
    private static final List<String> QUOTE_CURRENCIES = List.of("USDT", "USDC", "USD", "BTC", "ETH");

    private static final String EXECUTION = "FILL";
    /** A fee in crypto. */
    private static final String CRYPTO_FEE = "CFEE";

    /** @param listsOrders whether to ask for the open orders, too */
    AccountReport read(boolean listsOrders) throws IOException, InterruptedException {
        Instant asOf = Instant.now();
        if (listsOrders) {
            pages.list(Purpose.READ, _ -> {});
        }
        // Orders before positions: what is filled between the two is in both, so that a close does
        // not take its shares for left.
        List<AccountOrder> orders = open.newest();
        // Positions before balances: a fill between the two leaves money that is too new, and the
        // stream asks for both again.
        List<AccountPosition> positions = positions();
        AccountBalances balances = balances();
        return new AccountReport(account, asOf, balances, positions, orders, activitiesIfAny());
    }

    /** As {@link BrokerSession#openOrders}. */
    List<AccountOrder> openOrders() throws IOException, InterruptedException {
        pages.list(Purpose.CANCEL, _ -> {});
        return open.all();
    }

    private AccountBalances balances() throws IOException, InterruptedException {
        JsonNode json = http.call(http.request("/v2/account").GET(), Purpose.READ, callLimit)
                .requireSuccess();
        try {
            String currency = text(json, "currency");
            SignedDecimal cash = signed(json, "cash");
            Decimal buyingPower = optional(() -> number(json, "buying_power"));
            Decimal available = optional(() -> number(json, "non_marginable_buying_power"));
            return new AccountBalances(
                    currency,
                    cash,
                    optional(() -> signed(json, "equity")),
                    buyingPower,
                    List.of(new CurrencyBalance(currency, cash, available == null ? Decimal.ZERO : available)),
                    restrictions(json));
        } catch (IllegalArgumentException unreadable) {
            throw new IOException("the broker's account cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static List<String> restrictions(JsonNode json) {
        String status = json.path("status").asText(ACTIVE);
        return Stream.concat(
                        RESTRICTIONS.stream().filter(name -> json.path(name).asBoolean()),
                        status.equals(ACTIVE) ? Stream.empty() : Stream.of(status.toLowerCase(Locale.ROOT)))
                .toList();
    }

    private List<AccountPosition> positions() throws IOException, InterruptedException {
        JsonNode json = http.list("/v2/positions", Purpose.READ, callLimit);
        List<AccountPosition> positions = new ArrayList<>();
        for (JsonNode position : json) {
            try {
                positions.add(position(position));
            } catch (IllegalArgumentException unreadable) {
                // A list that lacks one would say that it was closed.
                throw new IOException("a position cannot be read: " + unreadable.getMessage(), unreadable);
            }
        }
        return positions;
    }

    private static AccountPosition position(JsonNode json) {
        SignedDecimal told = signed(json, "qty");
        boolean isShort = json.path("side").asText().equals("short");
        SignedDecimal quantity = isShort ? new SignedDecimal(told.value().abs().negate()) : told;
        SignedDecimal available = optional(() -> signed(json, "qty_available"));
        String assetClass = text(json, "asset_class");
        return new AccountPosition(
                assetClass.equals(CRYPTO) ? pair(text(json, "symbol")) : text(json, "symbol"),
                assetClass,
                quantity,
                new Decimal((available == null ? quantity : available).value().abs()),
                number(json, "avg_entry_price"),
                "USD",
                optional(() -> signed(json, "market_value")));
    }

    /** Alpaca's positions say BTCUSD for what its orders call BTC/USD. */
    private static String pair(String symbol) {
        return symbol.contains("/")
                ? symbol
                : QUOTE_CURRENCIES.stream()
                        .filter(symbol::endsWith)
                        .findFirst()
                        .map(currency -> symbol.substring(0, symbol.length() - currency.length()) + "/" + currency)
                        .orElse(symbol);
    }

    /** A broker that does not tell them still tells what the account holds. */
    private List<AccountActivity> activitiesIfAny() throws InterruptedException {
        try {
            return activities();
        } catch (IOException unavailable) {
            LOG.warn("activities of {} are left out: {}", account.masked(), unavailable.getMessage());
            return List.of();
        }
    }

    /** The newest first; those that cannot be read are left out. */
    private List<AccountActivity> activities() throws IOException, InterruptedException {
        String path = "/v2/account/activities?direction=desc&page_size=" + AccountReport.MAX_ACTIVITIES;
        List<AccountActivity> activities = new ArrayList<>();
        Iterator<JsonNode> newest = http.list(path, Purpose.READ, callLimit).iterator();
        while (newest.hasNext() && activities.size() < AccountReport.MAX_ACTIVITIES) {
            JsonNode activity = newest.next();
            AccountActivity read = optional(() -> activity(activity));
            if (read != null) {
                activities.add(read);
            }
        }
        return activities;
    }

    private static AccountActivity activity(JsonNode json) {
        String kind = text(json, "activity_type");
        return new AccountActivity(
                text(json, "id"),
                kind,
                json.hasNonNull("transaction_time") ? time(json, "transaction_time") : date(json),
                optional(() -> kind.equals(CRYPTO_FEE) ? pair(text(json, "symbol")) : text(json, "symbol")),
                optional(() -> text(json, "side").toLowerCase(Locale.ROOT)),
                optional(() -> signed(json, "qty")),
                optional(() -> number(json, "price")),
                optional(() -> signed(json, "net_amount")),
                optional(() -> text(json, "order_id")),
                optional(() -> text(json, "description")),
                kind.equals(EXECUTION) ? optional(() -> AlpacaActivities.executionId(json)) : null);
    }

    /** Those that are no executions have a date only. */
    private static Instant date(JsonNode json) {
        try {
            return LocalDate.parse(text(json, "date"))
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant();
        } catch (DateTimeException noDate) {
            throw new IllegalArgumentException("date is no date", noDate);
        }
    }
}
