package dev.berth.local.venue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A tradable share. Its id derives from its symbol, so that it is stable without the book. */
record Asset(UUID id, String symbol, String name, String exchange, AssetClass assetClass) {

    /** Every asset, by symbol. */
    static final Map<String, Asset> ALL = new TreeMap<>(Map.of(
            "AAPL", of("AAPL", "Apple Inc. Common Stock", "NASDAQ"),
            "MSFT", of("MSFT", "Microsoft Corporation Common Stock", "NASDAQ"),
            "NVDA", of("NVDA", "NVIDIA Corporation Common Stock", "NASDAQ"),
            "TSLA", of("TSLA", "Tesla, Inc. Common Stock", "NASDAQ"),
            "SPY", of("SPY", "SPDR S&P 500 ETF Trust", "ARCA")));

    private static Asset of(String symbol, String name, String exchange) {
        var id = UUID.nameUUIDFromBytes(("asset:" + symbol).getBytes(StandardCharsets.UTF_8));
        return new Asset(id, symbol, name, exchange, AssetClass.US_EQUITY);
    }

    /** By symbol in any case, or by id; null if unknown. */
    static @Nullable Asset find(String symbolOrId) {
        return ALL.values().stream()
                .filter(asset -> asset.symbol.equalsIgnoreCase(symbolOrId)
                        || asset.id.toString().equals(symbolOrId))
                .findFirst()
                .orElse(null);
    }

    /** @throws VenueRefusal if the symbol is unknown */
    static Asset require(String symbol) {
        var asset = ALL.get(symbol);
        if (asset == null) {
            throw VenueRefusal.unknownAsset(symbol);
        }
        return asset;
    }
}
