package dev.berth.api;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

/** Who may call what. The user is the token's subject, so nobody can name another. */
@Configuration
class Security {

    @Bean
    SecurityFilterChain chain(HttpSecurity http, JsonMapper json) {
        return http.csrf(csrf -> csrf.disable()) // There are no cookies.
                .logout(logout -> logout.disable())
                .requestCache(cache -> cache.disable())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(calls -> calls.requestMatchers(
                                "/actuator/**", "/swagger-ui.html", "/swagger-ui/**", "/v3/api-docs/**", "/error")
                        .permitAll()
                        .requestMatchers("/v1/fleet", "/v1/fleet/**")
                        .hasAuthority("SCOPE_fleet")
                        .anyRequest()
                        .authenticated())
                .oauth2ResourceServer(tokens -> tokens.jwt(jwt -> {})
                        .authenticationEntryPoint((_, answer, refused) -> write(
                                json,
                                answer,
                                Problem.UNAUTHENTICATED,
                                "Send the header Authorization: Bearer TOKEN with a token that has not expired ("
                                        + refused.getMessage() + "). Locally: ./berth token USER."))
                        .accessDeniedHandler((_, answer, _) -> write(
                                json,
                                answer,
                                Problem.FORBIDDEN,
                                "Ask for a token with the scope fleet. Locally:"
                                        + " ./berth token USER --scope fleet.")))
                .build();
    }

    /** Each call is observed as a whole; to observe every filter too adds a third to what a refusal costs. */
    @Bean
    SecurityObservationSettings securityObservations() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    JwtDecoder tokens(BerthSettings settings) throws IOException {
        byte[] key = Files.readAllBytes(settings.auth().keyFile());
        return NimbusJwtDecoder.withSecretKey(new SecretKeySpec(key, "HmacSHA256"))
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
    }

    private static void write(JsonMapper json, HttpServletResponse answer, Problem problem, String whatToDo)
            throws IOException {
        ProblemDetail detail = problem.detail(whatToDo);
        answer.setStatus(detail.getStatus());
        answer.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        json.writeValue(answer.getOutputStream(), detail);
    }
}
