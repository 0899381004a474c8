package dev.berth.workflows.broker;

import static dev.berth.workflows.broker.CredentialField.optional;
import static dev.berth.workflows.broker.CredentialField.required;

import java.util.List;

/** What an account of the broker {@code fix} says of its counterparty. */
public final class FixCredentials {
    public static final String USERNAME = "username";
    public static final String HOST = "host";
    public static final String PORT = "port";
    public static final String TARGET_COMP_ID = "targetCompId";
    public static final String TARGET_SUB_ID = "targetSubId";
    public static final String SENDER_SUB_ID = "senderSubId";
    public static final String TLS = "tls";
    public static final String TLS_AUTHORITY = "tlsAuthority";
    public static final String TLS_CERTIFICATE = "tlsCertificate";
    public static final String TLS_KEY = "tlsKey";

    static final CredentialSchema SCHEMA = new CredentialSchema(List.of(
            required("keyId", CredentialForm.KEY_ID, "SenderCompID (49)."),
            required("secret", CredentialForm.SECRET, "Password (554).").asSecret(),
            optional(USERNAME, CredentialForm.NAME, "Username (553)."),
            optional(HOST, CredentialForm.HOST, "The counterparty's host, one that the operator allows.")
                    .with(PORT),
            optional(PORT, CredentialForm.PORT, "The counterparty's port.").with(HOST),
            optional(TARGET_COMP_ID, CredentialForm.NAME, "TargetCompID (56), the counterparty's name."),
            optional(TARGET_SUB_ID, CredentialForm.NAME, "TargetSubID (57)."),
            optional(SENDER_SUB_ID, CredentialForm.NAME, "SenderSubID (50)."),
            optional(TLS, CredentialForm.SWITCH, "Whether the connection is encrypted."),
            optional(
                    TLS_AUTHORITY,
                    CredentialForm.CERTIFICATES,
                    "Authorities of the counterparty's certificate, in place of the public ones."),
            optional(
                            TLS_CERTIFICATE,
                            CredentialForm.CERTIFICATES,
                            "The account's own certificate for mutual TLS, then its chain.")
                    .with(TLS_KEY),
            optional(TLS_KEY, CredentialForm.PRIVATE_KEY, "The key of tlsCertificate.")
                    .asSecret()
                    .with(TLS_CERTIFICATE)));

    private FixCredentials() {}
}
