package dev.berth.api.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.berth.activities.codec.DerivedPayloadKeys;
import dev.berth.api.Problem;
import dev.berth.temporal.codec.EncryptingCodec;
import dev.berth.temporal.codec.MissingPayloadKeyException;
import io.swagger.v3.oas.annotations.Hidden;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.DataConverterException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
    private static final Logger LOG = LoggerFactory.getLogger(CodecController.class);

    private final EncryptingCodec codec;

    CodecController(DerivedPayloadKeys keys) {
        this.codec = new EncryptingCodec(keys);
    }

    @PostMapping(
            path = "/codec/decode",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    String decode(@AuthenticationPrincipal Jwt token, @RequestBody String body) {
        return answer(token, "decoded", body, codec::decode);
    }

    /** With the fleet's key, which every workflow reads. */
    @PostMapping(
            path = "/codec/encode",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    String encode(@AuthenticationPrincipal Jwt token, @RequestBody String body) {
        return answer(token, "encoded", body, codec::encode);
    }

    private static String answer(Jwt token, String verb, String body, UnaryOperator<List<Payload>> change) {
        Payloads.Builder payloads = Payloads.newBuilder();
        try {
            JsonFormat.parser().ignoringUnknownFields().merge(body, payloads);
            List<Payload> changed = change.apply(payloads.getPayloadsList());
            LOG.info("{} {} payloads for {}", verb, changed.size(), token.getSubject());
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
