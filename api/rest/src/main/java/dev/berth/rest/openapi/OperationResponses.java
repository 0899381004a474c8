package dev.berth.rest.openapi;

import dev.berth.rest.Problem;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.HttpStatus;

/** Answers of a call besides the common ones of its kind; {@link ApiDocument} documents both. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OperationResponses {
    /** Statuses of success; by default the method's {@code ResponseStatus}, or 200. */
    HttpStatus[] status() default {};

    Problem[] problems() default {};
}
