package dev.berth.local.venue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tradable share, or a crypto pair. Its id derives from its symbol, so that it is stable without
 * the book.
 *
 * @param initialQuote until one is set
 * @param increments null for a share
 */
record Asset(
        UUID id,
        String symbol,
        String name,
        String exchange,
        VenueQuote initialQuote,
        @Nullable CryptoIncrements increments) {

    /** Every asset, by symbol. */
    static final Map<String, Asset> ALL = List.of(
                    share("AAPL", "Apple Inc. Common Stock", "NASDAQ"),
                    share("MSFT", "Microsoft Corporation Common Stock", "NASDAQ"),
                    share("NVDA", "NVIDIA Corporation Common Stock", "NASDAQ"),
                    share("TSLA", "Tesla, Inc. Common Stock", "NASDAQ"),
                    share("SPY", "SPDR S&P 500 ETF Trust", "ARCA"),
                    new Asset(
                            id("BTC/USD"),
                            "BTC/USD",
                            "Bitcoin / US Dollar",
                            "CRYPTO",
                            VenueQuote.of("59990", "60010"),
                            CryptoIncrements.BTC))
            .stream()
            .collect(Collectors.toMap(Asset::symbol, Function.identity(), (one, _) -> one, TreeMap::new));

    private static Asset share(String symbol, String name, String exchange) {
        return new Asset(id(symbol), symbol, name, exchange, VenueQuote.of("99.99", "100.01"), null);
    }

    private static UUID id(String symbol) {
        return UUID.nameUUIDFromBytes(("asset:" + symbol).getBytes(StandardCharsets.UTF_8));
    }

    /** By symbol in any case, with or without the slash of a pair, or by id; null if unknown. */
    static @Nullable Asset find(String symbolOrId) {
        return ALL.values().stream()
                .filter(asset -> asset.symbol.equalsIgnoreCase(symbolOrId)
                        || asset.pairSymbol().equalsIgnoreCase(symbolOrId)
                        || asset.id.toString().equals(symbolOrId))
                .findFirst()
                .orElse(null);
    }

    /** The symbol with the slash of a pair; any other text as it is. */
    static String canonical(String symbol) {
        return ALL.values().stream()
                .filter(asset -> asset.pairSymbol().equals(symbol))
                .findFirst()
                .map(Asset::symbol)
                .orElse(symbol);
    }

    /** @throws VenueRefusal if the symbol is unknown */
    static Asset require(String symbol) {
        var asset = ALL.get(symbol);
        if (asset == null) {
            throw VenueRefusal.unknownAsset(symbol);
        }
        return asset;
    }

    VenueAssetClass assetClass() {
        return increments == null ? VenueAssetClass.US_EQUITY : VenueAssetClass.CRYPTO;
    }

    /** Without the slash of a pair, as in Alpaca's positions and fees. */
    String pairSymbol() {
        return symbol.replace("/", "");
    }

    /** The currency that a pair trades; of a share, its symbol. */
    String base() {
        return symbol.replaceFirst("/.*", "");
    }
}
