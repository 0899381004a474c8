package dev.berth.workflows.untrusted;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a record that came from outside, with all that is in it. A parser fills a component that
 * is missing with null or 0, and lets numbers, times and texts pass that a workflow cannot
 * calculate with or PostgreSQL cannot store.
 */
public final class ValueCheck {
    /** The whole numbers that JSON keeps exactly in every language. */
    private static final long MAX_NUMBER = (1L << 53) - 1;

    /** RFC 3339 has four digits for the year; intervals between such times do not overflow. */
    private static final Instant MIN_TIME = Instant.EPOCH;

    private static final Instant MAX_TIME = Instant.parse("9999-12-31T23:59:59.999999999Z");

    /** Longer than every text that a worker, a broker or an operator has to give. */
    private static final int MAX_TEXT = 4_096;

    /** An order with all its executions has fewer. */
    private static final int MAX_ELEMENTS = 10_000;

    private ValueCheck() {}

    /**
     * What is wrong with the value: null where the type does not allow it, a number below 0 or
     * above 2^53 - 1, a time outside of the years 1970 to 9999, a text of more than 4,096
     * characters or with characters that PostgreSQL does not store, a collection of more than
     * 10,000 elements.
     *
     * @param name of the value, for the answer
     * @param type as it is declared; its annotation says whether null is allowed
     * @return names the place and repeats nothing of the value; empty when nothing is wrong
     */
    public static Optional<String> fault(String name, AnnotatedType type, @Nullable Object value) {
        if (value == null) {
            return type.isAnnotationPresent(Nullable.class) ? Optional.empty() : Optional.of(name + " is missing");
        }
        return fault(name, value);
    }

    /** As the other, of a value that may not be null. */
    public static Optional<String> fault(String name, Object value) {
        return switch (value) {
            case Long number when number < 0 || number > MAX_NUMBER -> Optional.of(name + " is out of range");
            case Integer number when number < 0 -> Optional.of(name + " is out of range");
            case Instant time
            when time.isBefore(MIN_TIME) || time.isAfter(MAX_TIME) -> Optional.of(name + " is out of range");
            case String text -> text(name, text);
            case Collection<?> elements -> elements(name, elements);
            case Record fields -> components(name, fields);
            default -> Optional.empty();
        };
    }

    private static Optional<String> text(String name, String text) {
        if (text.length() > MAX_TEXT) {
            return Optional.of(name + " is too long");
        }
        boolean isStorable = text.codePoints().noneMatch(point -> point == 0 || isHalfOfSurrogatePair(point));
        return isStorable ? Optional.empty() : Optional.of(name + " has characters that cannot be stored");
    }

    private static boolean isHalfOfSurrogatePair(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

    private static Optional<String> elements(String name, Collection<?> elements) {
        if (elements.size() > MAX_ELEMENTS) {
            return Optional.of(name + " has too many elements");
        }
        Iterator<?> all = elements.iterator();
        while (all.hasNext()) {
            Object element = all.next();
            Optional<String> fault = element == null ? Optional.of("null") : fault(name, element);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> components(String name, Record fields) {
        return Stream.of(fields.getClass().getRecordComponents())
                .map(component ->
                        fault(name + "." + component.getName(), component.getAnnotatedType(), read(component, fields)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static @Nullable Object read(RecordComponent component, Record fields) {
        try {
            return component.getAccessor().invoke(fields);
        } catch (IllegalAccessException | InvocationTargetException notReadable) {
            throw new IllegalStateException("a record of Berth must be readable", notReadable);
        }
    }
}
