package dev.berth.aws;

import java.util.Locale;

/** A secret in Secrets Manager. */
enum SecretName {
    POSTGRES_SUPERUSER(true, "password of postgres, which makes the roles"),
    POSTGRES_OWNER(true, "password of berth_owner, for migrations"),
    POSTGRES_API(true, "password of berth_api"),
    POSTGRES_GATEWAY(true, "password of berth_gateway"),
    POSTGRES_TEMPORAL(true, "password of temporal, self-hosted"),
    REDIS_API(true, "password of API and orchestrator at Valkey"),
    REDIS_GATEWAY(true, "password of the gateway at Valkey"),
    TEMPORAL_API_KEY(false, "key of Temporal Cloud; unused when self-hosted"),
    DATABASE_AUTHORITY(false, "PEM in Base64: the region's authority of RDS"),
    CODEC_KEY(false, "Base64 of codec.key, which encrypts what Temporal stores"),
    GATEWAY_KEY(false, "Base64 of gateway.key, which signs assignments and task tokens"),
    GATEWAY_AUTHORITY(false, "Base64 of ca.crt, the certificate that workers trust"),
    GATEWAY_AUTHORITY_KEY(false, "Base64 of ca.key, which certifies tasks"),
    ENROLMENT_KEY(false, "Base64 of enrolment.key, from which the secrets of launches are derived");

    private final boolean generated;
    private final String meaning;

    SecretName(boolean generated, String meaning) {
        this.generated = generated;
        this.meaning = meaning;
    }

    /** As in its name: {@code postgres-owner}. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Otherwise the operator puts it there, before the services are deployed. */
    boolean isGenerated() {
        return generated;
    }

    String meaning() {
        return meaning;
    }
}
