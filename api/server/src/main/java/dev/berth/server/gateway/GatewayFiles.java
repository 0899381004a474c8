package dev.berth.server.gateway;

import dev.berth.gateway.CertificateAuthority;
import dev.berth.gateway.CertificateAuthority.KeyWithCertificate;
import dev.berth.gateway.GatewayKey;
import dev.berth.gateway.GatewaySettings;
import dev.berth.process.settings.GatewayOptions;
import dev.berth.temporal.codec.KeyFile;
import dev.berth.temporal.codec.PayloadKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Reads the keys and certificates that the settings name. */
final class GatewayFiles {
    private GatewayFiles() {}

    /**
     * Reads all of them.
     *
     * @throws IllegalArgumentException naming the setting that is missing, or whose file cannot be
     *     used
     */
    static GatewaySettings read(GatewayOptions options, String namespace, PayloadKeys payloadKeys) {
        CertificateAuthority authority = CertificateAuthority.open(
                pair(
                        options.caCertificateFile(),
                        "berth.gateway.ca-certificate-file",
                        options.caKeyFile(),
                        "berth.gateway.ca-key-file"),
                InstantSource.system());
        KeyWithCertificate server = options.certificateFile() == null
                ? authority.newServer(options.names())
                : pair(
                        options.certificateFile(),
                        "berth.gateway.certificate-file",
                        options.certificateKeyFile(),
                        "berth.gateway.certificate-key-file");
        return new GatewaySettings(
                options.port(),
                options.reusePort(),
                namespace,
                new GatewayKey(
                        KeyFile.read(required(options.keyFile(), "berth.gateway.key-file"), "berth.gateway.key-file")),
                payloadKeys,
                authority,
                server,
                options.training());
    }

    private static KeyWithCertificate pair(
            @Nullable Path certificate, String certificateSetting, @Nullable Path key, String keySetting) {
        return new KeyWithCertificate(
                text(required(certificate, certificateSetting), certificateSetting),
                new String(KeyFile.read(required(key, keySetting), keySetting), StandardCharsets.US_ASCII));
    }

    private static String text(Path file, String setting) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("The file " + file + " (" + setting + ") cannot be read", unreadable);
        }
    }

    private static Path required(@Nullable Path file, String setting) {
        if (file == null) {
            throw new IllegalArgumentException(setting + " must be set for the role gateway.");
        }
        return file;
    }
}
