package dev.berth.process.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The worker gateway. Files with keys are readable by their owner alone.
 *
 * @param port that workers call
 * @param reusePort whether other gateways of this host may serve the same port
 * @param keyFile 32 random bytes, the same for all gateways
 * @param caCertificateFile certificate of the workers' authority, in PEM
 * @param caKeyFile its key, PKCS #8 in PEM
 * @param certificateFile the gateway's own certificate, in PEM; absent: issued by the authority
 * @param certificateKeyFile its key, PKCS #8 in PEM
 * @param names DNS names or IP addresses of a certificate that the authority issues
 * @param training whether workers may prepare the training of a class archive
 * @param enrolmentKeyFile of the orchestrator: 32 random bytes; absent: its tasks cannot enrol
 */
public record GatewayOptions(
        @DefaultValue("17233") @Min(0) @Max(65_535) int port,
        @DefaultValue("false") boolean reusePort,
        @Nullable Path keyFile,
        @Nullable Path caCertificateFile,
        @Nullable Path caKeyFile,
        @Nullable Path certificateFile,
        @Nullable Path certificateKeyFile,
        @DefaultValue({"localhost", "127.0.0.1"}) List<String> names,
        @DefaultValue("false") boolean training,
        @Nullable Path enrolmentKeyFile) {

    public GatewayOptions {
        names = List.copyOf(names);
        if ((certificateFile == null) != (certificateKeyFile == null)) {
            throw new IllegalArgumentException(
                    "Set both of berth.gateway.certificate-file and berth.gateway.certificate-key-file, or neither.");
        }
    }
}
