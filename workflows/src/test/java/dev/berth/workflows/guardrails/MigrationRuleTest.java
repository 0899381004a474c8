package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * During a rolling release the release before runs on the tables of the next one. So a migration
 * expands: it takes nothing away that code uses, and demands nothing that the release before does
 * not write. docs/releasing.md has the rule.
 */
class MigrationRuleTest {
    private static final String MAIN = "src/main/";

    /** {@code -- contracts after v1.2.0: …} in a file that drops what no code uses any more. */
    private static final Pattern CONTRACTS = Pattern.compile("(?m)^-- contracts after v\\d+\\.\\d+\\.\\d+:");

    private static final String NAME = "\"?(\\w+)\"?";
    private static final Pattern TAKES_AWAY =
            Pattern.compile("(?i)\\bDROP\\s+(?:COLUMN|TABLE|VIEW|FUNCTION)\\s+(?:IF\\s+EXISTS\\s+)?" + NAME
                    + "|\\bRENAME\\s+(?:COLUMN\\s+)?"
                    + NAME + "\\s+TO\\b|\\bRENAME\\s+TO\\s+" + NAME + "|\\bALTER\\s+(?:COLUMN\\s+)?" + NAME
                    + "\\s+(?:SET\\s+DATA\\s+)?TYPE\\b|\\bALTER\\s+(?:COLUMN\\s+)?" + NAME + "\\s+SET\\s+NOT\\s+NULL");
    private static final Pattern DEMANDS = Pattern.compile(
            "(?i)\\bADD\\s+(?:COLUMN\\s+)(?:IF\\s+NOT\\s+EXISTS\\s+)?\\w+(?![^,;]*\\bDEFAULT\\b)[^,;]*\\bNOT\\s+NULL");

    /** What breaks the rule in this migration. */
    private static List<String> violations(String sql, String code) {
        List<String> violations = new ArrayList<>();
        boolean contracts = CONTRACTS.matcher(sql).find();
        String statements = sql.replaceAll("--[^\\n]*", "");
        Matcher taken = TAKES_AWAY.matcher(statements);
        while (taken.find()) {
            String name = Stream.of(1, 2, 3, 4, 5)
                    .map(taken::group)
                    .filter(group -> group != null)
                    .findFirst()
                    .orElseThrow();
            if (!contracts) {
                violations.add("only a file that says '-- contracts after vX.Y.Z:' may " + taken.group());
            } else if (Pattern.compile("\\b" + name + "\\b").matcher(code).find()) {
                violations.add("code still uses " + name + ": " + taken.group());
            }
        }
        Matcher demanded = DEMANDS.matcher(statements);
        while (demanded.find()) {
            violations.add("the release before does not write it: " + demanded.group());
        }
        return violations;
    }

    @Test
    @Tag("X21")
    @DisplayName("No migration takes away what code uses, nor demands what the release before does not write")
    void migrationsExpand() throws IOException {
        StringBuilder code = new StringBuilder();
        Repository.javaSources()
                .forEach((file, text) -> code.append(file.toString().contains(MAIN) ? text : ""));
        Map<Path, String> migrations = Repository.texts(Pattern.compile("V\\d+__.*\\.sql"));
        assertThat(migrations).isNotEmpty();
        migrations.forEach((file, sql) ->
                assertThat(violations(sql, code.toString())).as("%s", file).isEmpty());
    }

    @Test
    @DisplayName("The rule refuses what it is for")
    void ruleRefuses() {
        for (String sql : List.of(
                "ALTER TABLE orders DROP COLUMN status;",
                "ALTER TABLE orders RENAME COLUMN status TO state_word;",
                "ALTER TABLE orders RENAME TO all_orders;",
                "ALTER TABLE orders ALTER COLUMN symbol TYPE varchar(5);",
                "ALTER TABLE orders ALTER COLUMN symbol SET NOT NULL;",
                "DROP TABLE fills;",
                "-- contracts after v1.0.0: no code reads it\nALTER TABLE orders DROP COLUMN status;",
                "ALTER TABLE orders ADD COLUMN venue text NOT NULL;")) {
            assertThat(violations(sql, "SELECT status FROM orders")).as(sql).isNotEmpty();
        }
        for (String sql : List.of(
                "ALTER TABLE orders ADD COLUMN venue text;",
                "ALTER TABLE orders ADD COLUMN venue text NOT NULL DEFAULT '';",
                "CREATE TABLE venues (name text NOT NULL);",
                "-- contracts after v1.0.0: replaced by venue\nALTER TABLE orders DROP COLUMN market;")) {
            assertThat(violations(sql, "SELECT status FROM orders")).as(sql).isEmpty();
        }
    }
}
