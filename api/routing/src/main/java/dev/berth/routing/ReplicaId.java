package dev.berth.routing;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;
import java.util.regex.Pattern;

/** Id of one API process: {@code api@{host}-{uuid}}. A restarted process has another one. */
public record ReplicaId(@JsonValue String value) {
    private static final Pattern FORM = Pattern.compile("api@[A-Za-z0-9._-]{1,253}-[0-9a-f-]{36}");
    private static final Pattern NOT_IN_A_HOST = Pattern.compile("[^A-Za-z0-9._-]");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ReplicaId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("A replica's id is api@{host}-{uuid}.");
        }
    }

    /** A new id for the process that calls this. */
    public static ReplicaId create(String host) {
        return new ReplicaId("api@" + NOT_IN_A_HOST.matcher(host).replaceAll("-") + "-" + UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value;
    }
}
