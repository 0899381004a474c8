-- Users' accounts at brokers. One that was removed keeps its row, without credentials: its version never comes again.
CREATE TABLE accounts (
    user_id    text        NOT NULL,
    account    text        NOT NULL, -- broker/market/environment/accountId
    version    bigint      NOT NULL,
    key_hint   text,                 -- the masked key id; the whole one is in the ciphertext
    ciphertext text,                 -- Base64; opens for this user and this account only
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, account),
    CHECK ((key_hint IS NULL) = (ciphertext IS NULL))
);
