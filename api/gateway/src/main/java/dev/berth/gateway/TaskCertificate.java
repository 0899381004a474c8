package dev.berth.gateway;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.worker.TaskArns;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client certificate says about its task.
 *
 * @param pool the group for whose pool the task was run; null: it was run for the user of its
 *     assignment
 * @param enrolledAt when it enrolled first; a renewed certificate keeps it
 * @param sealingKey credentials are sealed to it: X25519, Base64; a renewed certificate keeps it;
 *     null: the task enrolled without one, and gets none
 */
record TaskCertificate(
        String taskArn,
        @Nullable UserGroup pool,
        Instant enrolledAt,
        @Nullable String sealingKey) {
    /** Also what the longest task of ECS's consists of; a URI without characters to escape. */
    static final Pattern TASK_ARN = Pattern.compile("arn:[a-z0-9-]+:ecs:[a-z0-9-]*:[0-9]*:task/[A-Za-z0-9_/-]{1,300}");

    private static final Pattern DETAILS = Pattern.compile("berth:task:(pool|user)(?:/([a-z0-9-]+))?:([0-9]{1,15})");
    /** Base64url of 32 bytes. */
    private static final Pattern SEALING_KEY = Pattern.compile("berth:sealing-key:([A-Za-z0-9_-]{43})");

    private static final int SEALING_KEY_BYTES = 32;
    /** GeneralName's tag of a URI. */
    private static final int URI = 6;

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException when the sealing key is none
     */
    TaskCertificate {
        if (sealingKey != null && Base64.getDecoder().decode(sealingKey).length != SEALING_KEY_BYTES) {
            throw new IllegalArgumentException("the sealing key does not have " + SEALING_KEY_BYTES + " bytes");
        }
    }

    String taskId() {
        return TaskArns.id(taskArn);
    }

    /** What stands in the certificate as URIs. */
    List<String> uris() {
        String group = pool == null || pool.isDefault() ? "" : "/" + pool;
        List<String> uris = new ArrayList<>(List.of(
                taskArn, "berth:task:" + (fromPool() ? "pool" : "user") + group + ":" + enrolledAt.toEpochMilli()));
        if (sealingKey != null) {
            byte[] key = Base64.getDecoder().decode(sealingKey);
            uris.add("berth:sealing-key:"
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(key));
        }
        return uris;
    }

    boolean fromPool() {
        return pool != null;
    }

    /**
     * Reads a certificate of the own authority.
     *
     * @throws IllegalArgumentException when it is no task's
     */
    static TaskCertificate of(X509Certificate certificate) {
        List<String> uris = uris(certificate);
        if (uris.size() < 2 || uris.size() > 3) {
            throw new IllegalArgumentException("the certificate is no task's");
        }
        Matcher details = DETAILS.matcher(uris.get(1));
        Matcher key = SEALING_KEY.matcher(uris.getLast());
        if (!details.matches() || (uris.size() == 3 && !key.matches())) {
            throw new IllegalArgumentException("the certificate is no task's");
        }
        String sealingKey = uris.size() == 2
                ? null
                : Base64.getEncoder().encodeToString(Base64.getUrlDecoder().decode(key.group(1)));
        Instant enrolledAt = Instant.ofEpochMilli(Long.parseLong(details.group(3)));
        UserGroup group = details.group(2) == null ? UserGroup.DEFAULT : new UserGroup(details.group(2));
        return new TaskCertificate(uris.get(0), details.group(1).equals("pool") ? group : null, enrolledAt, sealingKey);
    }

    private static List<String> uris(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(URI))
                            .map(name -> (String) name.get(1))
                            .toList();
        } catch (CertificateParsingException unreadable) {
            throw new IllegalArgumentException("the certificate cannot be read", unreadable);
        }
    }
}
