package dev.berth.rest.openapi;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import org.springframework.context.annotation.Configuration;

/** General part of the OpenAPI document. */
@Configuration
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Berth",
                        version = "1",
                        description = "One isolated worker process per user; every order is durable."
                                + " Errors are problem documents (RFC 9457) with a stable type and a detail that says"
                                + " what to do."),
        security = @SecurityRequirement(name = "token"))
@SecurityScheme(
        name = "token",
        type = SecuritySchemeType.HTTP,
        scheme = "bearer",
        bearerFormat = "JWT",
        description = "Locally: ./berth token USER")
class ApiDescription {}
