package dev.berth.rest;

import dev.berth.process.RareWarnings;
import dev.berth.process.settings.AuthOptions;
import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.codec.CodecSession;
import dev.berth.rest.identity.Subject;
import dev.berth.rest.identity.TokenClaims;
import dev.berth.rest.websocket.BearerProtocol;
import dev.berth.temporal.codec.KeyFile;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** Authentication and authorization. {@link TokenClaims} says what counts of a token. */
@Configuration
class Security {
    private static final RareWarnings WARNINGS = new RareWarnings(LoggerFactory.getLogger(Security.class));

    private static final DefaultBearerTokenResolver HEADER = new DefaultBearerTokenResolver();

    private static final Set<SignatureAlgorithm> SIGNATURES =
            Set.of(SignatureAlgorithm.RS256, SignatureAlgorithm.PS256, SignatureAlgorithm.ES256);

    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
        // The codec's cookie is SameSite, and the codec changes nothing.
        return http.csrf(csrf -> csrf.disable())
                .cors(cors -> {})
                .logout(logout -> logout.disable())
                .requestCache(cache -> cache.disable())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(calls -> calls.requestMatchers(
                                "/",
                                "/page/*",
                                "/actuator/**",
                                "/swagger-ui.html",
                                "/swagger-ui/**",
                                "/v3/api-docs/**",
                                CodecSession.SIGN_IN)
                        .permitAll()
                        .requestMatchers("/v1/**", "/codec/**")
                        .access((caller, call) ->
                                new AuthorizationDecision(permits(caller.get(), Scope.of(call.getRequest()))))
                        .anyRequest()
                        .authenticated())
                .oauth2ResourceServer(tokens -> tokens.jwt(jwt -> jwt.jwtAuthenticationConverter(Security::caller))
                        .authenticationEntryPoint(
                                (_, answer, refused) -> ProblemWriter.write(answer, notAuthenticated(refused)))
                        .withObjectPostProcessor(new UncheckableTokens())
                        .bearerTokenResolver(Security::token)
                        .accessDeniedHandler((call, answer, _) -> ProblemWriter.write(answer, notPermitted(call))))
                .build();
    }

    private static @Nullable String token(HttpServletRequest request) {
        String header = HEADER.resolve(request);
        if (header != null) {
            return header;
        }
        Optional<String> protocol = BearerProtocol.token(request);
        return protocol.isPresent() ? protocol.get() : CodecSession.tokenOf(request);
    }

    /** Pages of the Web UI call the codec; no page of another origin calls anything. */
    @Bean
    CorsConfigurationSource corsConfigurationSource(BerthSettings settings) {
        CorsConfiguration webUi = new CorsConfiguration();
        webUi.setAllowedOrigins(List.copyOf(settings.codec().uiOrigins()));
        webUi.setAllowedMethods(List.of("POST"));
        webUi.setAllowedHeaders(List.of("Authorization", "Authorization-Extras", "Content-Type", "X-Namespace"));
        webUi.setAllowCredentials(true);
        webUi.setMaxAge(Duration.ofHours(1));
        UrlBasedCorsConfigurationSource byPath = new UrlBasedCorsConfigurationSource();
        byPath.registerCorsConfiguration("/codec/decode", webUi);
        byPath.registerCorsConfiguration("/codec/encode", webUi);
        return byPath;
    }

    /** Observing every filter besides the call makes a refusal a third more expensive. */
    @Bean
    SecurityObservationSettings securityObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /** By itself the filter throws when a token cannot be checked. */
    private static final class UncheckableTokens implements ObjectPostProcessor<BearerTokenAuthenticationFilter> {
        @Override
        public <F extends BearerTokenAuthenticationFilter> F postProcess(F filter) {
            filter.setAuthenticationFailureHandler(
                    (_, answer, refused) -> ProblemWriter.write(answer, notAuthenticated(refused)));
            return filter;
        }
    }

    private static Problem.Refusal notAuthenticated(AuthenticationException refused) {
        if (refused instanceof AuthenticationServiceException) {
            WARNINGS.give("tokens cannot be checked: "
                    + NestedExceptionUtils.getMostSpecificCause(refused).getMessage()
                    + "; check berth.auth.issuer, which is written exactly as in tokens, and the way to its keys");
            return Problem.UNAVAILABLE.because(
                    "The keys of the identity provider cannot be read, so that no token can be checked. Try again.");
        }
        return Problem.UNAUTHENTICATED.because(
                "Send the header Authorization: Bearer TOKEN with a token that has not expired (" + refused.getMessage()
                        + "). Locally: ./berth token USER.");
    }

    /** Without authorities: {@link #permits} reads the token. */
    private static JwtAuthenticationToken caller(Jwt token) {
        return new JwtAuthenticationToken(token, List.of(), CallerId.name(token));
    }

    private static boolean permits(Authentication caller, Optional<Scope> needed) {
        return caller.getPrincipal() instanceof Jwt token
                && needed.map(scope -> Scope.granted(token).contains(scope)).orElse(true);
    }

    private static Problem.Refusal notPermitted(HttpServletRequest call) {
        Scope needed = Scope.of(call).orElseThrow();
        return Problem.FORBIDDEN.because("Ask for a token with the scope " + needed + ". Locally: ./berth token USER"
                + switch (needed) {
                    case FLEET_READ, FLEET_OPERATE, RISK_WRITE -> " --scope fleet.";
                    case ALARMS_WRITE, CODEC_READ, REMOTE -> " --scope " + needed + ".";
                    case ORDERS_READ, ORDERS_TRADE, ACCOUNTS_WRITE -> ".";
                });
    }

    @Bean
    JwtDecoder tokens(BerthSettings settings) {
        return tokens(settings.auth());
    }

    /** Tokens of the identity provider, or those that the key file signs. */
    static JwtDecoder tokens(AuthOptions auth) {
        return checked(auth, auth.keyFile() == null ? ofIssuer(auth) : ofKeyFile(auth.keyFile()));
    }

    /** Tokens of the identity provider. */
    static JwtDecoder tokens(AuthOptions auth, ProviderKeys keys) {
        return checked(auth, ofProvider(keys));
    }

    private static JwtDecoder checked(AuthOptions auth, NimbusJwtDecoder tokens) {
        tokens.setClaimSetConverter(new TokenClaims(auth));
        tokens.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                new JwtTimestampValidator(),
                new JwtIssuerValidator(auth.issuer()),
                required(
                        auth.audienceClaim(),
                        "for " + String.join(" or ", auth.audience()),
                        token -> token.getAudience() != null
                                && !Collections.disjoint(token.getAudience(), auth.audience())),
                required(
                        auth.userClaim(),
                        "with the name of the user, a text of 1 to 255 characters (berth.auth.user-claim)",
                        token -> token.getSubject() != null && Subject.isName(token.getSubject())),
                required(JwtClaimNames.EXP, "that expires", token -> token.getExpiresAt() != null)));
        return tokens;
    }

    private static NimbusJwtDecoder ofKeyFile(Path keyFile) {
        byte[] key = KeyFile.read(keyFile, "berth.auth.key-file");
        return NimbusJwtDecoder.withSecretKey(new SecretKeySpec(key, "HmacSHA256"))
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
    }

    private static NimbusJwtDecoder ofIssuer(AuthOptions auth) {
        return ofProvider(
                new ProviderKeys(auth.issuer(), auth.jwksUri(), ProviderKeys.Times.DEFAULT, InstantSource.system()));
    }

    private static NimbusJwtDecoder ofProvider(ProviderKeys keys) {
        return NimbusJwtDecoder.withJwkSource(keys)
                .jwsAlgorithms(algorithms -> algorithms.addAll(SIGNATURES))
                .build();
    }

    /** Spring's own checks accept a token without the claim. */
    private static OAuth2TokenValidator<Jwt> required(String claim, String which, Predicate<Jwt> isRight) {
        return token -> isRight.test(token)
                ? OAuth2TokenValidatorResult.success()
                : OAuth2TokenValidatorResult.failure(new OAuth2Error(
                        OAuth2ErrorCodes.INVALID_TOKEN,
                        "The token has no " + claim + " " + which + "; ask for one that has",
                        null));
    }
}
