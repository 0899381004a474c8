package dev.berth.gateway;

import dev.berth.temporal.gateway.EnrolmentProof;
import dev.berth.temporal.gateway.GatewayMessages.CertificateAnswer;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.EnrolAnswer;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.worker.TaskArns;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.regex.Pattern;

/** Gives a task its certificate: once for the secret of its launch, then for the last one. */
final class Enrolment {
    /** A secret that was tried once, even too late, is dead. A stopped task gets nothing. */
    private static final String TAKE = """
            if redis.call('EXISTS', KEYS[2]) == 1 then return nil end
            local entry = redis.call('HGET', KEYS[1], ARGV[1])
            local claim, deadline = string.match(entry or '', '^(%S+) (%d+)$')
            if not claim then return nil end
            redis.call('HSET', KEYS[1], ARGV[1], 'enrolled')
            local now = redis.call('TIME')
            if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(deadline) then return nil end
            return claim
            """;

    /** Extends the binding of a task that may have another certificate; else says why not. */
    private static final String RENEW = """
            if redis.call('EXISTS', KEYS[1]) == 1 then return 'STOPPED' end
            if ARGV[2] == '' and redis.call('EXISTS', KEYS[2]) == 1 then return 'ASSIGNMENT' end
            local epoch = redis.call('GET', KEYS[3])
            if epoch and ARGV[2] ~= '' and tonumber(epoch) > tonumber(ARGV[2]) then return 'SUPERSEDED' end
            redis.call('EXPIRE', KEYS[2], ARGV[1])
            return nil
            """;

    /** Two certificates: the binding outlives the one that was valid when it was made. */
    static final Duration BINDING_TTL = CertificateAuthority.TASK_VALIDITY.multipliedBy(2);

    private static final int P256_BITS = 256;
    private static final Pattern BASE64_OF_32_BYTES = Pattern.compile("[A-Za-z0-9+/]{43}=");
    private static final int LONGEST = 1_024;

    private final RedisCommands<String, String> redis;
    private final CertificateAuthority authority;
    private final AssignmentTokens assignments;
    private final Refusals refusals;
    private final InstantSource clock;

    Enrolment(
            RedisCommands<String, String> redis,
            CertificateAuthority authority,
            AssignmentTokens assignments,
            Refusals refusals,
            InstantSource clock) {
        this.redis = redis;
        this.authority = authority;
        this.assignments = assignments;
        this.refusals = refusals;
        this.clock = clock;
    }

    EnrolAnswer enrol(EnrolRequest request) {
        if (request.secret().length() > LONGEST
                || !TaskCertificate.TASK_ARN.matcher(request.taskArn()).matches()) {
            throw new IllegalArgumentException("secret or task ARN are malformed");
        }
        PublicKey key = key(request.publicKey());
        if (!isProven(request, key)) {
            throw refuse("the signature is not by the key");
        }
        String sealingKey = request.sealingKey();
        if (sealingKey != null && !BASE64_OF_32_BYTES.matcher(sealingKey).matches()) {
            throw new IllegalArgumentException("the sealing key is malformed");
        }
        String claim = redis.eval(
                TAKE,
                ScriptOutputType.VALUE,
                new String[] {
                    RedisKeys.enrolment(Hashes.sha256(request.secret())),
                    RedisKeys.stoppedTask(TaskArns.id(request.taskArn()))
                },
                request.taskArn());
        if (claim == null) {
            throw refuse("the secret is unknown, used or expired, or is another task's; or the task was stopped");
        }
        UserGroup pool = PoolNames.groupOfUser(claim).orElse(null);
        TaskCertificate task = new TaskCertificate(request.taskArn(), pool, clock.instant(), sealingKey);
        return new EnrolAnswer(
                authority.newTask(task, key), task.fromPool() ? null : assignments.token(assignment(task, claim)));
    }

    /**
     * For the worker of a user with its assignment, if it is the newest, and for a pool worker that
     * was not bound. Any other keeps its certificate for the rest of the hour.
     */
    CertificateAnswer renew(Caller caller, CertificateRequest request) {
        PublicKey key = key(request.publicKey());
        String task = caller.task().taskId();
        Assignment assignment = caller.assignment();
        String refused = redis.eval(
                RENEW,
                ScriptOutputType.VALUE,
                new String[] {
                    RedisKeys.stoppedTask(task),
                    RedisKeys.bound(task),
                    RedisKeys.epoch(caller.serving().userId())
                },
                Long.toString(BINDING_TTL.toSeconds()),
                assignment == null ? "" : Long.toString(assignment.epoch()));
        if (refused != null) {
            throw refusals.refuse(
                    GatewayMethods.RENEW_CERTIFICATE.getFullMethodName(),
                    Refusal.valueOf(refused),
                    "the task was stopped, has a user that it does not name, or its user has a newer worker");
        }
        return new CertificateAnswer(authority.newTask(caller.task(), key));
    }

    private RuntimeException refuse(String why) {
        return refusals.refuse(GatewayMethods.ENROL.getFullMethodName(), Refusal.ENROLMENT, why);
    }

    private static Assignment assignment(TaskCertificate task, String claim) {
        int end = claim.lastIndexOf(':');
        return new Assignment(
                task.taskId(), new UserId(claim.substring(0, end)), Long.parseLong(claim.substring(end + 1)));
    }

    private static PublicKey key(String publicKey) {
        if (publicKey.length() > LONGEST) {
            throw new IllegalArgumentException("the public key is malformed");
        }
        try {
            PublicKey key = KeyFactory.getInstance("EC")
                    .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(publicKey)));
            if (((ECPublicKey) key).getParams().getOrder().bitLength() != P256_BITS) {
                throw new IllegalArgumentException("the public key is not of curve P-256");
            }
            return key;
        } catch (GeneralSecurityException unreadable) {
            throw new IllegalArgumentException("the public key is malformed");
        }
    }

    private static boolean isProven(EnrolRequest request, PublicKey key) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initVerify(key);
            signature.update(EnrolmentProof.of(request.secret(), request.taskArn(), request.sealingKey()));
            return signature.verify(Base64.getDecoder().decode(request.signature()));
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }
}
