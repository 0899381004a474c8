package dev.berth.workflows.broker;

/**
 * One field of the credentials that an account of a broker needs.
 *
 * @param pattern a regular expression that the whole value matches
 * @param secret whether the value is never shown again
 */
public record CredentialField(String name, String description, String pattern, boolean secret) {}
