package dev.berth.workflows.untrusted;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
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

    private static final String MISSING = " is missing";
    private static final String OUT_OF_RANGE = " is out of range";

    private static final ClassValue<List<Component>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<Component> computeValue(Class<?> type) {
            return Stream.of(type.getRecordComponents()).map(Component::of).toList();
        }
    };

    private ValueCheck() {}

    /** What the check of a record's component needs; reflection looks it up slowly. */
    private record Component(String name, Method accessor, boolean mayBeNull) {
        static Component of(RecordComponent component) {
            return new Component(
                    component.getName(),
                    component.getAccessor(),
                    component.getAnnotatedType().isAnnotationPresent(Nullable.class));
        }

        @Nullable
        Object read(Record fields) {
            try {
                return accessor.invoke(fields);
            } catch (IllegalAccessException | InvocationTargetException notReadable) {
                throw new IllegalStateException("a record of Berth must be readable", notReadable);
            }
        }
    }

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
            return type.isAnnotationPresent(Nullable.class) ? Optional.empty() : Optional.of(name + MISSING);
        }
        return fault(name, value);
    }

    /** As the other, of a value that may not be null. */
    public static Optional<String> fault(String name, Object value) {
        return Optional.ofNullable(fault(value)).map(name::concat);
    }

    /** What follows the value's name. */
    private static @Nullable String fault(Object value) {
        return switch (value) {
            case Long number when number < 0 || number > MAX_NUMBER -> OUT_OF_RANGE;
            case Integer number when number < 0 -> OUT_OF_RANGE;
            case Instant time when time.isBefore(MIN_TIME) || time.isAfter(MAX_TIME) -> OUT_OF_RANGE;
            case String text -> text(text);
            case Collection<?> elements -> elements(elements);
            case Record fields -> components(fields);
            default -> null;
        };
    }

    private static @Nullable String text(String text) {
        if (text.length() > MAX_TEXT) {
            return " is too long";
        }
        return isStorable(text) ? null : " has characters that cannot be stored";
    }

    private static boolean isStorable(String text) {
        int point;
        for (int at = 0; at < text.length(); at += Character.charCount(point)) {
            point = text.codePointAt(at);
            if (point == 0 || isHalfOfSurrogatePair(point)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHalfOfSurrogatePair(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

    private static @Nullable String elements(Collection<?> elements) {
        if (elements.size() > MAX_ELEMENTS) {
            return " has too many elements";
        }
        Iterator<?> all = elements.iterator();
        while (all.hasNext()) {
            Object element = all.next();
            String fault = element == null ? " has null in it" : fault(element);
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private static @Nullable String components(Record fields) {
        for (Component component : COMPONENTS.get(fields.getClass())) {
            Object value = component.read(fields);
            String fault = value != null ? fault(value) : component.mayBeNull ? null : MISSING;
            if (fault != null) {
                return "." + component.name + fault;
            }
        }
        return null;
    }
}
