package dev.berth.rest;

/** The text form of explanations. */
public final class ExplanationText {
    private ExplanationText() {}

    /** Adds a line, indented, with the name and the value. */
    public static void line(StringBuilder text, String name, Object value) {
        text.append("  %-18s %s%n".formatted(name, value));
    }
}
