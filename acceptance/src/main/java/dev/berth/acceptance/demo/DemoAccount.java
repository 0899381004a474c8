package dev.berth.acceptance.demo;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.HeldAccount.Position;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueAccounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A user's account, here and as another application with the same keys sees it at the venue. */
record DemoAccount(
        String user,
        BigDecimal cash,
        BigDecimal venueCash,
        Map<String, BigDecimal> positions,
        Map<String, BigDecimal> venuePositions) {
    /** A fill is in the account within 2 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** As it is when both agree, or as it was last when they do not in time. */
    static DemoAccount of(Stack stack, Trader trader) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        DemoAccount account = read(stack, trader);
        while (account.difference().isPresent() && Instant.now().isBefore(deadline)) {
            Thread.sleep(100);
            account = read(stack, trader);
        }
        return account;
    }

    private static DemoAccount read(Stack stack, Trader trader) throws IOException, InterruptedException {
        HeldAccount here = new HeldAccount(trader);
        Map<String, BigDecimal> positions = new TreeMap<>();
        for (Position position : here.positions().items()) {
            positions.put(position.symbol(), position.quantity());
        }
        VenueAccounts.Account there = VenueAccounts.of(stack).of(trader);
        Map<String, BigDecimal> venuePositions = new TreeMap<>();
        there.positions().forEach(position -> venuePositions.put(position.symbol(), position.qty()));
        return new DemoAccount(trader.user(), here.balances().cash(), there.cash(), positions, venuePositions);
    }

    /** What is wrong; empty when both are the same. */
    Optional<String> difference() {
        boolean same = cash.compareTo(venueCash) == 0 && text(positions).equals(text(venuePositions));
        return same
                ? Optional.empty()
                : Optional.of("the account of " + user + " is shown with " + cash + " and " + text(positions)
                        + ", and the venue has " + venueCash + " and " + text(venuePositions));
    }

    String line() {
        String here = text(positions);
        String there = text(venuePositions);
        String both = here.equals(there) ? here : here + ", but " + there;
        return "%-7s %14s %14s   %s".formatted(user, cash.toPlainString(), venueCash.toPlainString(), both);
    }

    private static String text(Map<String, BigDecimal> positions) {
        StringBuilder text = new StringBuilder();
        positions.forEach((symbol, quantity) -> text.append(text.isEmpty() ? "" : ", ")
                .append(quantity.stripTrailingZeros().toPlainString())
                .append(' ')
                .append(symbol));
        return text.isEmpty() ? "none" : text.toString();
    }
}
