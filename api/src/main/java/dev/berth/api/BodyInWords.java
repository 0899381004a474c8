package dev.berth.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
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

/** Says what is wrong with a body in the words of whoever wrote it: fields, values and places, and no class of ours. */
final class BodyInWords {
    private static final String SEE = "/swagger-ui.html shows what this call takes.";

    private BodyInWords() {}

    /** One or two sentences for {@code unreadable}, the parser's exception; null stands for a body that is not there. */
    static String of(@Nullable Throwable unreadable) {
        return switch (unreadable) {
            case null -> "It is missing, or null; " + SEE;
            case UnrecognizedPropertyException unknown ->
                "%s is no field here. There are: %s."
                        .formatted(
                                field(unknown),
                                unknown.getKnownPropertyIds().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", ")));
            // Our own records say in their constructors what they take.
            case ValueInstantiationException refused
            when refused.getCause() instanceof IllegalArgumentException why && why.getMessage() != null ->
                why.getMessage();
            case MismatchedInputException more
            when more.getOriginalMessage().startsWith("Trailing token") -> "Something follows it; send one JSON value.";
            case MismatchedInputException other ->
                "%s has to be %s.".formatted(field(other), kind(other.getTargetType()));
            case InputCoercionException other -> "%s is too large, or too small.".formatted(field(other));
            case StreamConstraintsException _ -> "Something in it is too long, or nested too deeply.";
            case StreamReadException broken -> notJson(broken);
            default -> "It can not be read; " + SEE;
        };
    }

    /** Such as account.broker, or ids[2]; the body itself, if nothing in it was reached. */
    private static String field(JacksonException at) {
        String path = at.getPath().stream()
                .map(step ->
                        step.getPropertyName() == null ? "[" + step.getIndex() + "]" : "." + step.getPropertyName())
                .collect(Collectors.joining());
        return path.isEmpty() ? "The body" : path.replaceFirst("^\\.", "");
    }

    private static String kind(@Nullable Class<?> target) {
        return switch (target) {
            case null -> "of another kind";
            case Class<?> type when type.isEnum() -> "one of " + String.join(", ", words(type));
            case Class<?> type when type.isRecord() -> "an object with the fields " + String.join(", ", fields(type));
            case Class<?> type when type == Duration.class -> "an ISO 8601 duration such as \"PT120S\"";
            case Class<?> type when Collection.class.isAssignableFrom(type) -> "a list";
            case Class<?> type when type == Boolean.class || type == boolean.class -> "true or false";
            case Class<?> type when type == Integer.class || type == Long.class -> "a whole number";
            default -> "a string";
        };
    }

    private static List<String> words(Class<?> type) {
        return Arrays.stream(type.getFields())
                .filter(Field::isEnumConstant)
                .map(constant -> {
                    JsonProperty word = constant.getAnnotation(JsonProperty.class);
                    return word == null ? constant.getName() : word.value();
                })
                .toList();
    }

    private static List<String> fields(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    /** The parser's first words alone: what follows them speaks of its own settings. */
    private static String notJson(StreamReadException broken) {
        TokenStreamLocation at = broken.getLocation();
        return "It can not be read as JSON. %s at line %d, column %d."
                .formatted(broken.getOriginalMessage().split(": ", 2)[0], at.getLineNr(), at.getColumnNr());
    }
}
