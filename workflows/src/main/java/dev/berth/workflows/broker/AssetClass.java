package dev.berth.workflows.broker;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a symbol names. */
public enum AssetClass {
    @JsonProperty("equity")
    EQUITY,
    @JsonProperty("crypto")
    CRYPTO,
    @JsonProperty("option")
    OPTION;

    /** The OCC's symbol: root, expiration, call or put, and strike. */
    private static final Pattern OCC = Pattern.compile("[A-Z]{1,6}\\d{6}[CP]\\d{8}");

    /** By the form of an order's symbol: only pairs of crypto have a slash. */
    public static AssetClass of(String symbol) {
        if (symbol.contains("/")) {
            return CRYPTO;
        }
        return OCC.matcher(symbol).matches() ? OPTION : EQUITY;
    }

    /** The word for users. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
