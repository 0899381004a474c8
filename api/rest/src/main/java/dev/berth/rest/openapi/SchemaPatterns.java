package dev.berth.rest.openapi;

import java.util.Map;

/** Regular expressions for ids and numbers in JSON Schema. */
public final class SchemaPatterns {
    public static final String DECIMAL = "^[0-9]{1,18}(\\.[0-9]{1,9})?$";
    private static final String USER = "[a-z0-9][a-z0-9-]{0,62}";
    private static final String ORDER = "(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}";

    public static final String ORDER_KEY = "^" + USER + ":" + ORDER + "$";
    public static final String USER_ID = "^" + USER + "$";
    public static final String CLIENT_ORDER_ID = "^" + ORDER + "$";
    private static final String WORD = "^[A-Za-z0-9_-]{1,64}$";

    /** For all parameters and fields of a name. */
    static final Map<String, String> BY_NAME = Map.of(
            "userId", USER_ID,
            "clientOrderId", CLIENT_ORDER_ID,
            "Idempotency-Key", CLIENT_ORDER_ID,
            "broker", WORD,
            "market", WORD,
            "accountId", WORD,
            "group", "^[a-z][a-z0-9-]{0,29}$",
            "symbol", "^[A-Za-z0-9][A-Za-z0-9./:_-]{0,31}$",
            "cursor", "^[A-Za-z0-9_-]+$",
            "Last-Event-ID", "^[0-9]{1,9}$");

    private SchemaPatterns() {}
}
