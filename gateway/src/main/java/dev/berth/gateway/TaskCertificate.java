package dev.berth.gateway;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
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
 */
record TaskCertificate(String taskArn, @Nullable UserGroup pool, Instant enrolledAt) {
    /** Also what the longest task of ECS's consists of; a URI without characters to escape. */
    static final Pattern TASK_ARN = Pattern.compile("arn:[a-z0-9-]+:ecs:[a-z0-9-]*:[0-9]*:task/[A-Za-z0-9_/-]{1,300}");

    private static final Pattern DETAILS = Pattern.compile("berth:task:(pool|user)(?:/([a-z0-9-]+))?:([0-9]{1,15})");
    /** GeneralName's tag of a URI. */
    private static final int URI = 6;

    String taskId() {
        return RedisKeys.taskId(taskArn);
    }

    /** What stands in the certificate as URIs. */
    List<String> uris() {
        String group = pool == null || pool.isDefault() ? "" : "/" + pool;
        return List.of(
                taskArn, "berth:task:" + (fromPool() ? "pool" : "user") + group + ":" + enrolledAt.toEpochMilli());
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
        if (uris.size() != 2) {
            throw new IllegalArgumentException("the certificate is no task's");
        }
        Matcher details = DETAILS.matcher(uris.get(1));
        if (!details.matches()) {
            throw new IllegalArgumentException("the certificate is no task's");
        }
        Instant enrolledAt = Instant.ofEpochMilli(Long.parseLong(details.group(3)));
        UserGroup group = details.group(2) == null ? UserGroup.DEFAULT : new UserGroup(details.group(2));
        return new TaskCertificate(uris.get(0), details.group(1).equals("pool") ? group : null, enrolledAt);
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
