package dev.berth.api;

import dev.berth.activities.KeyFile;
import dev.berth.api.codec.CodecSession;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** Authentication and authorization. The user is the token's subject. */
@Configuration
class Security {
    private static final DefaultBearerTokenResolver HEADER = new DefaultBearerTokenResolver();

    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
        // The codec's cookie is SameSite, and the codec changes nothing.
        return http.csrf(csrf -> csrf.disable())
                .cors(cors -> {})
                .logout(logout -> logout.disable())
                .requestCache(cache -> cache.disable())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(calls -> calls.requestMatchers(
                                "/actuator/**",
                                "/swagger-ui.html",
                                "/swagger-ui/**",
                                "/v3/api-docs/**",
                                CodecSession.SIGN_IN)
                        .permitAll()
                        .requestMatchers("/codec/**")
                        .hasAuthority("SCOPE_" + CodecSession.SCOPE)
                        .requestMatchers("/v1/fleet", "/v1/fleet/**")
                        .hasAuthority("SCOPE_fleet")
                        .anyRequest()
                        .authenticated())
                .oauth2ResourceServer(tokens -> tokens.jwt(jwt -> {})
                        .authenticationEntryPoint((_, answer, refused) -> ProblemWriter.write(
                                answer,
                                Problem.UNAUTHENTICATED.because(
                                        "Send the header Authorization: Bearer TOKEN with a token that has not expired ("
                                                + refused.getMessage() + "). Locally: ./berth token USER.")))
                        .bearerTokenResolver(Security::token)
                        .accessDeniedHandler((request, answer, _) -> {
                            String scope = CodecSession.isCodec(request) ? CodecSession.SCOPE : "fleet";
                            ProblemWriter.write(
                                    answer,
                                    Problem.FORBIDDEN.because("Ask for a token with the scope " + scope
                                            + ". Locally: ./berth token USER --scope " + scope + "."));
                        }))
                .build();
    }

    private static @Nullable String token(HttpServletRequest request) {
        String header = HEADER.resolve(request);
        return header == null ? CodecSession.tokenOf(request) : header;
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

    @Bean
    JwtDecoder tokens(BerthSettings settings) {
        byte[] key = KeyFile.read(settings.auth().keyFile(), "berth.auth.key-file");
        NimbusJwtDecoder tokens = NimbusJwtDecoder.withSecretKey(new SecretKeySpec(key, "HmacSHA256"))
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
        tokens.setJwtValidator(JwtValidators.createDefaultWithValidators(List.of(Security::expires)));
        return tokens;
    }

    /** Spring's own check accepts a token without {@code exp}, which would never expire. */
    private static OAuth2TokenValidatorResult expires(Jwt token) {
        return token.getExpiresAt() != null
                ? OAuth2TokenValidatorResult.success()
                : OAuth2TokenValidatorResult.failure(new OAuth2Error(
                        OAuth2ErrorCodes.INVALID_TOKEN, "The token has no exp; every token must expire", null));
    }
}
