package dev.berth.local.venue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Authentication and responses of the venue's HTTP calls. */
final class Http {

    static final String KEY_ID = "APCA-API-KEY-ID";
    static final String SECRET = "APCA-API-SECRET-KEY";

    private Http() {}

    /**
     * The account that the request's headers authenticate.
     *
     * @throws VenueRefusal 403, for absent and for wrong credentials, as Alpaca does; 429
     */
    static String account(Context ctx, Exchange exchange) {
        var account = account(ctx.header(KEY_ID), ctx.header(SECRET), exchange);
        RequestLimits.require(ctx);
        return account;
    }

    /**
     * @throws VenueRefusal 403 if one is absent or empty, or the secret is not the key id's first
     *     one
     */
    static String account(@Nullable String keyId, @Nullable String secret, Exchange exchange) {
        if (keyId == null || keyId.isBlank() || secret == null || secret.isBlank()) {
            throw VenueRefusal.forbidden();
        }
        var account = exchange.authenticate(keyId, sha256(secret));
        if (account == null) {
            throw VenueRefusal.forbidden();
        }
        return account;
    }

    /** @throws VenueRefusal 404 if this is no UUID */
    static UUID orderId(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw VenueRefusal.orderNotFound(text);
        }
    }

    /**
     * The asset that the path names, by its symbol or its id.
     *
     * @throws VenueRefusal 404 if it is unknown
     */
    static Asset asset(Context ctx) {
        var text = ctx.pathParam("symbol");
        var asset = Asset.find(text);
        if (asset == null) {
            throw VenueRefusal.assetNotFound(text);
        }
        return asset;
    }

    static void answer(Context ctx, int status, Object body) {
        try {
            ctx.status(status).contentType("application/json").result(VenueJson.MAPPER.writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static void answer(Context ctx, VenueRefusal refusal) {
        answer(ctx, refusal.httpStatus(), refusal.body());
    }

    private static String sha256(String secret) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
