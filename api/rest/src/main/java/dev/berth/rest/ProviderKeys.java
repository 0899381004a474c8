package dev.berth.rest;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the identity provider. They are read when the first token comes, again in the
 * background before they are old, and for a token of an unknown key. Anybody can invent such
 * tokens, so the provider is asked only so often; meanwhile, and while the provider is unavailable,
 * the keys that it had last count.
 */
final class ProviderKeys implements JWKSource<SecurityContext> {
    /**
     * How often the provider is asked.
     *
     * @param keep keys that are older are read again before they are used
     * @param ahead keys are read in the background for so long before that
     * @param waiting a token waits so long for a request that another one caused
     * @param pause unknown keys cause two requests in this time
     * @param outage keys count for so long after they were last read, while the provider is
     *     unavailable: a key that the provider has withdrawn, too
     */
    record Times(Duration keep, Duration ahead, Duration waiting, Duration pause, Duration outage) {
        static final Times DEFAULT = new Times(
                Duration.ofMinutes(10),
                Duration.ofMinutes(8),
                Duration.ofSeconds(6),
                Duration.ofSeconds(30),
                Duration.ofHours(12));
    }

    /** The limit for one request to connect; the token that causes the request waits. */
    private static final Duration CONNECT = Duration.ofSeconds(1);

    private static final Duration READ = Duration.ofSeconds(2);

    private static final int MAX_BYTES = 256 * 1024;

    private record Known(JWKSet keys, long readMillis) {}

    private final String issuer;
    private final Times times;
    private final InstantSource clock;
    private final ResourceRetriever http = new DefaultResourceRetriever(
            Math.toIntExact(CONNECT.toMillis()), Math.toIntExact(READ.toMillis()), MAX_BYTES);
    private final JWKSource<SecurityContext> current;
    private volatile @Nullable URL address;
    private volatile @Nullable Known last;

    /**
     * Calls nothing.
     *
     * @param jwksUri null: the issuer's OpenID configuration names it
     */
    ProviderKeys(String issuer, @Nullable URI jwksUri, Times times, InstantSource clock) {
        this.issuer = issuer;
        this.times = times;
        this.clock = clock;
        this.address = jwksUri == null ? null : url(jwksUri.toString());
        this.current = JWKSourceBuilder.create(new Provider())
                .cache(times.keep().toMillis(), times.waiting().toMillis())
                .refreshAheadCache(
                        times.ahead().toMillis(), null, Executors.newVirtualThreadPerTaskExecutor(), true, null, false)
                .rateLimited(times.pause().toMillis())
                .outageTolerant(times.outage().toMillis())
                .build();
    }

    /**
     * The keys that may have signed a token.
     *
     * @throws KeySourceException when the provider is unavailable, and was not read for long
     */
    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeySourceException {
        try {
            return current.get(selector, context);
        } catch (KeySourceException awayOrAskedTooOften) {
            Known known = last;
            if (known == null
                    || clock.millis() - known.readMillis() > times.outage().toMillis()) {
                throw awayOrAskedTooOften;
            }
            return selector.select(known.keys());
        }
    }

    private static URL url(String address) {
        try {
            return URI.create(address).toURL();
        } catch (MalformedURLException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    /** Asks the provider with each call. */
    private final class Provider implements JWKSetSource<SecurityContext> {
        @Override
        public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
                throws KeySourceException {
            URL known = address;
            URL keys = known == null ? discovered() : known;
            address = keys;
            JWKSet read = new URLBasedJWKSetSource<>(keys, http).getJWKSet(refresh, now, context);
            last = new Known(read, clock.millis());
            return read;
        }

        private URL discovered() throws JWKSetUnavailableException {
            String configuration = issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration";
            try {
                Map<String, Object> found = JSONObjectUtils.parse(
                        http.retrieveResource(url(configuration)).getContent());
                if (!issuer.equals(JSONObjectUtils.getString(found, "issuer"))) {
                    throw new JWKSetUnavailableException(configuration + " is of another issuer");
                }
                return url(JSONObjectUtils.getString(found, "jwks_uri"));
            } catch (IOException | ParseException | IllegalArgumentException unreadable) {
                throw new JWKSetUnavailableException(configuration + " cannot be read", unreadable);
            }
        }

        @Override
        public void close() {}
    }
}
