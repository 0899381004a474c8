package dev.berth.rest.audit;

import static dev.berth.rest.audit.AuditSamples.rows;
import static dev.berth.rest.audit.AuditSamples.stop;
import static dev.berth.rest.audit.AuditSamples.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the roles of the database may do to each chain of the audit, and what a check finds. */
@ParameterizedClass
@EnumSource(AuditChain.class)
class AuditTamperingTest {
    private static final List<String> FOUR = List.of("one", "two", "three", "four");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final AuditLog audit = new AuditLog(postgres.client(), postgres.transactions());
    private final AuditChain chain;

    AuditTamperingTest(AuditChain chain) {
        this.chain = chain;
    }

    /** In both chains, in turns. */
    @BeforeEach
    void writeRows() {
        FOUR.forEach(reason -> {
            audit.request(stop(reason));
            audit.request(stored(reason));
        });
    }

    private AuditEntry entry(String detail) {
        return chain == AuditChain.OPERATORS ? stop(detail) : stored(detail);
    }

    private AuditPosition at(long number) {
        return new AuditPosition(chain.name(), number);
    }

    /**
     * In this chain. The owner disables the trigger first: nothing in the database stops the one
     * who owns it.
     */
    private void tamper(String sql) {
        postgres.owner()
                .execute("ALTER TABLE audit DISABLE TRIGGER ALL; "
                        + sql.replace("WHERE ", "WHERE chain = '" + chain + "' AND ")
                        + "; ALTER TABLE audit ENABLE TRIGGER ALL");
    }

    private void assertFound(AuditFault fault) {
        AuditVerification found = audit.verify(null);
        assertThat(found.fault()).isEqualTo(fault);
        assertThat(found.isIntact()).isFalse();
    }

    @ParameterizedTest
    @Tag("X29")
    @DisplayName("The application's role and the reader cannot change or remove a row, nor disable the guard")
    @ValueSource(
            strings = {
                "UPDATE audit SET detail = 'nothing' WHERE number = 2",
                "DELETE FROM audit WHERE number = 2",
                "TRUNCATE audit",
                "ALTER TABLE audit DISABLE TRIGGER ALL",
                "DROP TRIGGER audit_append ON audit",
                "DROP TABLE audit",
                "SET session_replication_role = replica",
                "SET ROLE berth_owner",
                "CREATE OR REPLACE FUNCTION audit_append() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                "CREATE TABLE more (number int)",
                "DELETE FROM flyway_schema_history"
            })
    void rowsCannotBeChangedOrRemoved(String sql) {
        for (String role : List.of("berth_api", "berth_reader")) {
            JdbcTemplate client = new JdbcTemplate(postgres.as(role));
            assertThatThrownBy(() -> client.execute(sql)).as(role).isInstanceOf(DataAccessException.class);
        }
        assertThat(audit.verify(null).rows()).isEqualTo(8);
        assertThat(audit.verify(null).isIntact()).isTrue();
    }

    @ParameterizedTest
    @Tag("X29")
    @DisplayName("The guard refuses the owner of the table, too")
    @ValueSource(
            strings = {"UPDATE audit SET detail = 'nothing' WHERE number = 2", "DELETE FROM audit", "TRUNCATE audit"})
    void ownerIsRefused(String sql) {
        assertThatThrownBy(() -> postgres.owner().execute(sql)).hasMessageContaining("the audit is append-only");
    }

    @Test
    @Tag("X29")
    @DisplayName("A login that may change the audit is recognised")
    void loginIsChecked() {
        assertThat(audit.isChangeable()).isFalse();
        assertThat(new AuditLog(postgres.owner(), postgres.transactions()).isChangeable())
                .isTrue();
    }

    @Test
    @Tag("X29")
    @DisplayName("The reader sees the audit, adds nothing, and sees no encrypted credentials")
    void readerOnlyReads() {
        JdbcTemplate reader = new JdbcTemplate(postgres.as("berth_reader"));
        assertThat(reader.queryForObject("SELECT count(*) FROM audit", Long.class))
                .isEqualTo(8);
        assertThat(reader.queryForList("SELECT key_hint FROM accounts")).isEmpty();
        assertThatThrownBy(() -> reader.queryForList("SELECT ciphertext FROM accounts"))
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> reader.update("INSERT INTO audit (actor) VALUES ('olga')"))
                .isInstanceOf(DataAccessException.class);
    }

    @Test
    @Tag("X29")
    @DisplayName("Number, time and hashes are the database's, whatever a client sends")
    void clientsDoNotChain() {
        // A session's own table of that name must not be taken for the audit either.
        postgres.transactions().executeWithoutResult(_ -> {
            JdbcTemplate client = new JdbcTemplate(postgres.as("berth_api"));
            client.execute("CREATE TEMPORARY TABLE audit (number bigint, hash text);"
                    + " INSERT INTO pg_temp.audit VALUES (70, 'forged');"
                    + " INSERT INTO public.audit (chain, number, at, actor, scope, action, outcome, detail, previous_hash, hash)"
                    + " VALUES ('" + chain
                    + "', 2, '2001-01-01', 'mallory', '', 'STOP_WORKER', 'DONE', 'forged', 'forged', 'forged')");
        });
        AuditRow added = rows(audit).getLast();
        assertThat(added.position()).isEqualTo(at(5));
        assertThat(added.at()).isAfter(rows(audit).getFirst().at());
        AuditVerification found = audit.verify(null);
        assertThat(found.rows()).isEqualTo(9);
        assertThat(found.heads().of(chain)).isEqualTo(added.hash());
        assertThat(found.isIntact()).isTrue();
    }

    @ParameterizedTest
    @Tag("X29")
    @DisplayName("A change of any field of a row is found")
    @ValueSource(
            strings = {
                "actor = 'mallory'",
                "scope = ''",
                "action = 'READ_WORKER'",
                "user_id = NULL",
                "user_id = 'bob'",
                "outcome = 'DONE'",
                "detail = 'nothing'",
                "request_id = NULL",
                "at = at + interval '1 microsecond'",
                "previous_hash = repeat('0', 64)",
                "hash = repeat('0', 64)"
            })
    void changedRowIsFound(String change) {
        tamper("UPDATE audit SET " + change + " WHERE number = 2");
        assertFound(new AuditFault.Changed(at(2)));
    }

    @Test
    @Tag("X29")
    @DisplayName("A row that was changed together with its hash is found by the row after it")
    void changedRowWithItsHashIsFound() {
        tamper("UPDATE audit SET detail = 'nothing' WHERE number = 2;"
                + " UPDATE audit a SET hash = audit_hash(a) WHERE number = 2");
        assertFound(new AuditFault.Changed(at(2)));
    }

    @Test
    @Tag("X29")
    @DisplayName("A removed row is found, the first one too, and one in whose place another was put")
    void removedRowIsFound() {
        tamper("DELETE FROM audit WHERE number = 3");
        assertFound(new AuditFault.Missing(at(3)));
        tamper("UPDATE audit SET number = 3 WHERE number = 4");
        assertFound(new AuditFault.Changed(at(3)));
        tamper("DELETE FROM audit WHERE number = 1");
        assertFound(new AuditFault.Missing(at(1)));
    }

    @Test
    @Tag("X29")
    @DisplayName("An inserted row is found, also before the first one")
    void insertedRowIsFound() {
        tamper("INSERT INTO audit SELECT chain, 0, at, actor, scope, action, user_id, outcome, detail, request_id,"
                + " previous_hash, hash FROM audit WHERE number = 1");
        assertFound(new AuditFault.Changed(at(0)));
    }

    @Test
    @Tag("X29")
    @DisplayName("Rows removed at the end, or a chain written again, are found by a head that was kept")
    void keptHeadFindsTruncation() {
        AuditHeads head = audit.verify(null).heads();
        AuditFault missing = new AuditFault.HeadMissing(chain, head.of(chain));
        audit.request(entry("five"));
        assertThat(audit.verify(head).isIntact()).isTrue();
        tamper("DELETE FROM audit WHERE number > 3");
        assertThat(audit.verify(null).isIntact()).isTrue();
        assertThat(audit.verify(head).fault()).isEqualTo(missing);
        audit.request(entry("four, differently"));
        assertThat(audit.verify(head).fault()).isEqualTo(missing);
        tamper("DELETE FROM audit WHERE true");
        assertThat(audit.verify(null).heads().of(chain)).isEqualTo(AuditChainCheck.START);
        assertThat(audit.verify(null).rows()).isEqualTo(4);
        assertThat(audit.verify(head).fault()).isEqualTo(missing);
        postgres.owner().execute("ALTER TABLE audit DISABLE TRIGGER ALL; DELETE FROM audit");
        postgres.owner().execute("ALTER TABLE audit ENABLE TRIGGER ALL");
        AuditHeads none = new AuditHeads(AuditChainCheck.START, AuditChainCheck.START);
        assertThat(audit.verify(none)).isEqualTo(new AuditVerification(0, none, null));
    }

    @Test
    @Tag("X29")
    @DisplayName("A row that was moved out of its chain is found, also in a chain that no check follows")
    void movedRowIsFound() {
        AuditChain other = chain == AuditChain.OPERATORS ? AuditChain.USERS : AuditChain.OPERATORS;
        tamper("UPDATE audit SET chain = '" + other + "', number = 5 WHERE number = 4");
        assertFound(new AuditFault.Changed(new AuditPosition(other.name(), 5)));
        postgres.owner().execute("ALTER TABLE audit DROP CONSTRAINT audit_chain_check");
        try {
            postgres.owner().execute("ALTER TABLE audit DISABLE TRIGGER ALL");
            postgres.owner().execute("UPDATE audit SET chain = 'X' WHERE chain = '" + other + "' AND number = 5");
            assertFound(new AuditFault.Changed(new AuditPosition("X", 5)));
        } finally {
            postgres.owner().execute("DELETE FROM audit WHERE chain = 'X'");
            postgres.owner()
                    .execute("ALTER TABLE audit ENABLE TRIGGER ALL; ALTER TABLE audit ADD CONSTRAINT"
                            + " audit_chain_check CHECK (chain IN ('OPERATORS', 'USERS'))");
        }
    }
}
