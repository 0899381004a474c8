package dev.berth.api;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Says what is wrong with a body in the words of whoever wrote it: fields, values and places, and no class of ours. */
final class BodyInWords {
    private BodyInWords() {}

    /** One or two sentences for {@code unreadable}, the parser's exception; null stands for a body that is not there. */
    static String of(@Nullable Throwable unreadable) {
        return switch (unreadable) {
            case null -> "It is missing, or null; /swagger-ui.html shows what this call takes.";
            case UnrecognizedPropertyException unknown ->
                "%s is no field here. There are: %s."
                        .formatted(
                                field(unknown),
                                unknown.getKnownPropertyIds().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", ")));
            // Our own records say in their constructors what they take.
            case ValueInstantiationException refused
            when refused.getCause() != null -> String.valueOf(refused.getCause().getMessage());
            case MismatchedInputException other ->
                "%s has to be %s.".formatted(field(other), kind(other.getTargetType()));
            case InputCoercionException other ->
                "%s has to be %s.".formatted(field(other), kind(other.getTargetType()));
            case StreamReadException broken -> notJson(broken);
            default -> "/swagger-ui.html shows what this call takes.";
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
        if (target == null) {
            return "of another kind";
        } else if (target.isEnum()) {
            return "one of "
                    + Arrays.stream(target.getEnumConstants())
                            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        } else if (target.isRecord()) {
            return "an object with the fields "
                    + Arrays.stream(target.getRecordComponents())
                            .map(component -> component.getName())
                            .collect(Collectors.joining(", "));
        } else if (target == Duration.class) {
            return "an ISO 8601 duration such as \"PT120S\"";
        } else if (Collection.class.isAssignableFrom(target)) {
            return "a list";
        } else if (target == Boolean.class || target == boolean.class) {
            return "true or false";
        } else if (List.of(Integer.class, int.class, Long.class, long.class).contains(target)) {
            return "a whole number";
        }
        return "a string";
    }

    /** The parser's first words alone: what follows them speaks of its own settings. */
    private static String notJson(StreamReadException broken) {
        TokenStreamLocation at = broken.getLocation();
        return "It can not be read as JSON. %s at line %d, column %d."
                .formatted(broken.getOriginalMessage().split(": ", 2)[0], at.getLineNr(), at.getColumnNr());
    }
}
