package dev.berth.acceptance.rest;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The accounts that every user of the local stack has at the paper venue. */
public enum LocalAccount {
    /** Over REST. The user's id is its key id. */
    ALPACA("alpaca", ""),
    FIX("fix", "fix-");

    private final String broker;
    private final String prefix;

    LocalAccount(String broker, String prefix) {
        this.broker = broker;
        this.prefix = prefix;
    }

    /** That at this broker; every broker but fix has Alpaca's keys. */
    public static LocalAccount of(String broker) {
        return broker.equals(FIX.broker) ? FIX : ALPACA;
    }

    /** In paths and in PostgreSQL. */
    public String key() {
        return broker + "/equity/paper/paper";
    }

    /** In the body of a request. */
    public String json() {
        return "{\"broker\":\"%s\",\"market\":\"equity\",\"environment\":\"paper\",\"accountId\":\"paper\"}"
                .formatted(broker);
    }

    /** Under which the venue has the user's account. */
    public String keyId(String user) {
        return prefix + user;
    }

    /** The key ids of all accounts of the user. */
    public static Set<String> keyIds(String user) {
        return Arrays.stream(values()).map(account -> account.keyId(user)).collect(Collectors.toSet());
    }

    /** Who may have the account with this key id, the user of that name first. */
    public static List<String> usersOf(String keyId) {
        return Arrays.stream(values())
                .filter(account -> keyId.startsWith(account.prefix))
                .map(account -> keyId.substring(account.prefix.length()))
                .toList();
    }
}
