package dev.berth.rest.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.temporal.codec.DerivedPayloadKeys;
import dev.berth.temporal.codec.EncryptingCodec;
import dev.berth.temporal.codec.KeyOwner;
import dev.berth.temporal.codec.MissingPayloadKeyException;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Hidden;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.DataConverterException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Temporal's remote codec protocol: payloads as JSON, encoded or decoded. */
@RestController
@Hidden
class CodecController {
    /** A page of the Web UI shows fewer workflows. */
    private static final int MAX_OWNERS = 100;

    private final EncryptingCodec codec;
    private final RequestAudit audit;

    CodecController(DerivedPayloadKeys keys, RequestAudit audit) {
        this.codec = new EncryptingCodec(keys);
        this.audit = audit;
    }

    @PostMapping(
            path = "/codec/decode",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    String decode(@AuthenticationPrincipal Jwt token, @RequestBody String body) {
        return answer(body, payloads -> {
            record(token, payloads);
            return codec.decode(payloads);
        });
    }

    /** With the fleet's key, which every workflow reads. */
    @PostMapping(
            path = "/codec/encode",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    String encode(@RequestBody String body) {
        return answer(body, codec::encode);
    }

    /** Before the read, an entry for each user; one row each, so users are few in one call. */
    private void record(Jwt token, List<Payload> payloads) {
        Map<KeyOwner, Long> owners = payloads.stream()
                .flatMap(payload -> EncryptingCodec.owner(payload).stream())
                .collect(Collectors.groupingBy(owner -> owner, TreeMap::new, Collectors.counting()));
        if (owners.size() > MAX_OWNERS) {
            throw Problem.INVALID_REQUEST.because(
                    "Send payloads of at most " + MAX_OWNERS + " users in one call, not of " + owners.size() + ".");
        }
        owners.forEach((owner, count) -> audit.read(
                token,
                AuditAction.READ_PAYLOADS,
                UserId.parse(owner.name()).orElse(null),
                count + " payloads of " + owner));
    }

    private static String answer(String body, UnaryOperator<List<Payload>> change) {
        Payloads.Builder payloads = Payloads.newBuilder();
        try {
            JsonFormat.parser().ignoringUnknownFields().merge(body, payloads);
            List<Payload> changed = change.apply(payloads.getPayloadsList());
            return JsonFormat.printer()
                    .omittingInsignificantWhitespace()
                    .print(Payloads.newBuilder().addAllPayloads(changed));
        } catch (InvalidProtocolBufferException unreadable) {
            throw Problem.MALFORMED_JSON.because("Send {\"payloads\": […]}, as Temporal's Web UI does.");
        } catch (DataConverterException | MissingPayloadKeyException unreadable) {
            throw Problem.INVALID_REQUEST.because("The payload cannot be read: " + unreadable.getMessage() + ".");
        }
    }
}
