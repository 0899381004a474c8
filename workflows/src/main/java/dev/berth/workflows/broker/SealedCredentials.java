package dev.berth.workflows.broker;

/**
 * Credentials of one account, and the payload keys of its user, which only one worker process can
 * open. They travel in clear payloads, so everything but the version is sealed, the account too.
 *
 * @param version grows by one each time the account's credentials are stored
 * @param encapsulation HPKE's encapsulated key, Base64
 * @param ciphertext what is sealed, Base64
 */
public record SealedCredentials(long version, String encapsulation, String ciphertext) {}
