package dev.berth.gateway;

import dev.berth.gateway.CertificateAuthority.KeyWithCertificate;
import dev.berth.temporal.codec.PayloadKeys;

/**
 * How a gateway serves.
 *
 * @param port 0 takes a free one
 * @param reusePort whether other gateways of this host may serve the same port; Linux only
 * @param namespace the one of Temporal's that workers reach
 * @param key shared by all gateways
 * @param payloadKeys of all users: workers have none, the gateway encrypts and decrypts for them
 * @param authority issues the tasks' certificates, and is the only one that is trusted
 * @param server the gateway's own certificate
 * @param training whether a pool worker may prepare the training of a class archive
 */
public record GatewaySettings(
        int port,
        boolean reusePort,
        String namespace,
        GatewayKey key,
        PayloadKeys payloadKeys,
        CertificateAuthority authority,
        KeyWithCertificate server,
        boolean training) {}
