package dev.berth.workflows.broker;

/**
 * Credentials of one account, which only one worker process can open. They travel in clear
 * payloads, so everything but the version is sealed, the account too.
 *
 * @param version grows by one each time the account's credentials are stored
 * @param ciphertext sealed by HPKE: the encapsulated key, then what is sealed; Base64
 */
public record SealedCredentials(long version, String ciphertext) {}
