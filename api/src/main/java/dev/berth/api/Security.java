package dev.berth.api;

import dev.berth.activities.KeyFile;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
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
import org.springframework.security.web.SecurityFilterChain;

/** Authentication and authorization. The user is the token's subject. */
@Configuration
class Security {

    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
        return http.csrf(csrf -> csrf.disable()) // There are no cookies.
                .logout(logout -> logout.disable())
                .requestCache(cache -> cache.disable())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(calls -> calls.requestMatchers(
                                "/actuator/**", "/swagger-ui.html", "/swagger-ui/**", "/v3/api-docs/**")
                        .permitAll()
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
                        .accessDeniedHandler((_, answer, _) -> ProblemWriter.write(
                                answer,
                                Problem.FORBIDDEN.because("Ask for a token with the scope fleet. Locally:"
                                        + " ./berth token USER --scope fleet."))))
                .build();
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
