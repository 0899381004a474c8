package dev.berth.workflows.broker;

/**
 * Credentials of one account that only one worker process can open.
 *
 * @param account whose credentials they are; bound into the seal, so they open for no other account
 * @param version grows by one each time the account's credentials are stored
 * @param encapsulation HPKE's encapsulated key, Base64
 * @param ciphertext the sealed credentials, Base64
 */
public record SealedCredentials(AccountKey account, long version, String encapsulation, String ciphertext) {}
