package dev.berth.rest;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.workflows.PlainText;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Explains a body that cannot be read by fields, types and positions, without class names. It
 * repeats no value of the body, which may be a secret, since clients log answers. If the body takes
 * a secret, it does not repeat the name of an unknown field either.
 */
public final class RequestBodyErrors {
    private static final String SECRET = "secret";
    /** The parser's message. Only a plain identifier is repeated. */
    private static final Pattern DUPLICATE = Pattern.compile("^Duplicate .*\"([A-Za-z_]\\w{0,40})\"");

    private static final String SEE = "/swagger-ui.html shows what this call takes.";

    private RequestBodyErrors() {}

    /**
     * The problem of a body, or of a part of one.
     *
     * @param unreadable the parser's exception; null if there is no body
     */
    public static Problem.Refusal refusal(@Nullable Throwable unreadable) {
        return Optional.ofNullable(unreadable)
                .flatMap(Problem.Refusal::in)
                .orElseGet(() -> Problem.MALFORMED_JSON.because(of(unreadable)));
    }

    static String of(@Nullable Throwable unreadable) {
        return switch (unreadable) {
            case null -> "The body is missing or null; " + SEE;
            case UnrecognizedPropertyException unknown ->
                "%s is not a field here. Fields: %s."
                        .formatted(
                                unknown.getKnownPropertyIds().contains(SECRET)
                                        ? "The name at " + position(unknown)
                                        : PlainText.line(field(unknown)),
                                unknown.getKnownPropertyIds().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", ")));
            // The constructors of Berth's own records explain what they accept.
            case ValueInstantiationException refused
            when refused.getCause() instanceof IllegalArgumentException why && why.getMessage() != null ->
                why.getMessage();
            case MismatchedInputException more
            when more.getOriginalMessage().startsWith("Trailing token") ->
                "More text follows the JSON value; send one value.";
            case MismatchedInputException other ->
                "%s must be %s.".formatted(field(other), type(other.getTargetType()));
            case InputCoercionException other -> "%s is too large or too small.".formatted(field(other));
            case StreamConstraintsException _ -> "A value is too long, or nested too deeply.";
            case StreamReadException broken
            when DUPLICATE.matcher(broken.getOriginalMessage()).find() ->
                "The body has a field twice: " + duplicate(broken) + ".";
            case StreamReadException broken -> "The body is not JSON at %s.".formatted(position(broken));
            default -> "The body cannot be read; " + SEE;
        };
    }

    private static String duplicate(StreamReadException broken) {
        Matcher name = DUPLICATE.matcher(broken.getOriginalMessage());
        return name.find() ? name.group(1) : "";
    }

    /** Such as account.broker or ids[2]. */
    private static String field(JacksonException unreadable) {
        String path = unreadable.getPath().stream()
                .map(step ->
                        step.getPropertyName() == null ? "[" + step.getIndex() + "]" : "." + step.getPropertyName())
                .collect(Collectors.joining());
        return path.isEmpty() ? "The body" : path.replaceFirst("^\\.", "");
    }

    private static String type(@Nullable Class<?> target) {
        return switch (target) {
            case null -> "of another type";
            case Class<?> type when type.isEnum() -> "one of " + String.join(", ", names(type));
            case Class<?> type when type.isRecord() -> "an object with the fields " + String.join(", ", fields(type));
            case Class<?> type when type == Duration.class -> "an ISO 8601 duration such as \"PT120S\"";
            case Class<?> type when Collection.class.isAssignableFrom(type) -> "a list";
            case Class<?> type when type == Boolean.class || type == boolean.class -> "true or false";
            case Class<?> type when type == Integer.class || type == Long.class -> "a whole number";
            default -> "a string";
        };
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getFields())
                .filter(Field::isEnumConstant)
                .map(constant -> {
                    JsonProperty name = constant.getAnnotation(JsonProperty.class);
                    return name == null ? constant.getName() : name.value();
                })
                .toList();
    }

    private static List<String> fields(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    private static String position(JacksonException unreadable) {
        TokenStreamLocation location = unreadable.getLocation();
        return location == null
                ? "an unknown position"
                : "line %s, column %s".formatted(location.getLineNr(), location.getColumnNr());
    }
}
