package dev.berth.rest;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.util.UriComponentsBuilder;

/** Comma-separated values (RFC 4180). What is absent is an empty field. */
public final class CsvText {
    public static final String MEDIA_TYPE = "text/csv";
    /** With the charset, which spreadsheets guess otherwise. */
    public static final MediaType CONTENT_TYPE = new MediaType("text", "csv", StandardCharsets.UTF_8);

    private static final String QUOTE = "\"";
    private static final String QUOTED = ",\"\r\n";
    private static final String LINE_END = "\r\n";

    private final StringBuilder text = new StringBuilder();

    /** Adds a line. */
    public CsvText line(List<? extends @Nullable Object> fields) {
        text.append(fields.stream().map(CsvText::field).collect(Collectors.joining(",")))
                .append(LINE_END);
        return this;
    }

    /**
     * The header {@code Link} that leads to the next lines.
     *
     * @param request as the client has encoded it
     * @param cursor base64url
     */
    public static String next(UriComponentsBuilder request, String cursor) {
        String next = request.replaceQueryParam("cursor", cursor).build(true).toUriString();
        return "<" + next + ">; rel=\"next\"";
    }

    private static String field(@Nullable Object value) {
        String field = value == null ? "" : value.toString();
        boolean isPlain = field.chars().noneMatch(character -> QUOTED.indexOf(character) >= 0);
        return isPlain ? field : QUOTE + field.replace(QUOTE, QUOTE + QUOTE) + QUOTE;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
