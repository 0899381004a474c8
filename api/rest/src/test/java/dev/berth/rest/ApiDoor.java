package dev.berth.rest;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.codec.CodecSession;
import dev.berth.rest.identity.TokenClaims;
import dev.berth.workflows.UserId;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The API's door with the calls about identity, one call of a user and one of an operator. */
final class ApiDoor implements AutoCloseable {
    /** So that no test of the whole API has these calls, too. */
    private static final String PROFILE = "door";

    @Profile(PROFILE)
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(BerthSettings.class)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        SecurityAutoConfiguration.class,
        ServletWebSecurityAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class
    })
    @Import({Security.class, ProblemAdvice.class, CodecSession.class, Calls.class})
    @ComponentScan(basePackageClasses = TokenClaims.class)
    static class Door {}

    @Profile(PROFILE)
    @RestController
    static class Calls {
        @GetMapping("/v1/orders")
        UserId orders(@AuthenticationPrincipal Jwt token) {
            return CallerId.of(token);
        }

        /** Under which the caller's requests are counted and logged. */
        @GetMapping("/v1/worker")
        String name(Principal caller) {
            return caller.getName();
        }

        @GetMapping("/v1/fleet")
        String fleet() {
            return "\"fleet\"";
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestProvider provider;
    private final ConfigurableApplicationContext api;

    /** Starts with settings as environment variables. */
    ApiDoor(TestProvider provider, String issuer, Map<String, String> variables) {
        this.provider = provider;
        StandardEnvironment environment = new StandardEnvironment();
        Map<String, Object> all = new HashMap<>(variables);
        all.put("BERTH_AUTH_ISSUER", issuer);
        all.put("BERTH_AUTH_JWKS_URI", provider.keysUri());
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, all));
        api = new SpringApplicationBuilder(Door.class)
                .profiles(PROFILE)
                .environment(environment)
                .properties("spring.config.name=none")
                .run(
                        "--server.port=0",
                        "--berth.redis-uri=redis://127.0.0.1:16379",
                        "--berth.accounts.key-file=accounts.key",
                        "--berth.codec.key-file=codec.key",
                        "--spring.main.banner-mode=off");
    }

    /** Answers to a token with these claims. */
    HttpResponse<String> get(String path, String claims) throws Exception {
        return get(path, "JWT", claims);
    }

    HttpResponse<String> get(String path, String type, String claims) throws Exception {
        return send(request(path).header("Authorization", "Bearer " + provider.token(type, claims)));
    }

    HttpResponse<String> getWithoutToken(String path) throws Exception {
        return send(request(path));
    }

    /** The sign-in of the codec reads the token by itself. */
    int signIn(String claims) throws Exception {
        return send(request(CodecSession.SIGN_IN)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("token=" + provider.token("JWT", claims))))
                .statusCode();
    }

    private HttpRequest.Builder request(String path) {
        String port = api.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        api.close();
    }
}
