package dev.berth.rest.account;

import dev.berth.activities.account.AccountStatements;
import dev.berth.rest.CallerId;
import dev.berth.rest.CsvText;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.broker.AccountKey;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import java.time.LocalDate;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Statements of a user's own accounts. */
@RestController
@RequestMapping("/v1/accounts")
@Tag(name = "accounts")
class StatementController {
    /** Those that PostgreSQL has. */
    private static final int FIRST_YEAR = 1970;

    private static final int LAST_YEAR = 9999;

    private final AccountStatements statements;
    private final InstantSource clock;

    StatementController(AccountStatements statements, InstantSource clock) {
        this.statements = statements;
        this.clock = clock;
    }

    @GetMapping(AccountPath.ACCOUNT + "/statements/{date}")
    @OperationResponses(problems = {Problem.INVALID_ACCOUNT, Problem.ACCOUNT_NOT_READ})
    @Operation(
            summary = "How an account became what it was at the end of a day",
            description =
                    "The date is a day in UTC, such as 2026-11-30. For each currency and position: what an earlier"
                            + " day's last report held, executions, fees and other activities, their sum, what the day's last"
                            + " report held, and the difference, also when it is 0. from and to are the times of the two"
                            + " reports: what was executed after the last one is in the next statement. complete is false"
                            + " while the day lasts. With the header Accept: text/csv, the lines as CSV.")
    StatementView statement(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate date) {
        return read(token, AccountPath.key(broker, market, environment, accountId), date);
    }

    @GetMapping(path = AccountPath.ACCOUNT + "/statements/{date}", produces = CsvText.MEDIA_TYPE)
    @OperationResponses(problems = {Problem.INVALID_ACCOUNT, Problem.ACCOUNT_NOT_READ})
    @Operation(summary = "The same as CSV")
    ResponseEntity<String> csv(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate date) {
        StatementView statement = read(token, AccountPath.key(broker, market, environment, accountId), date);
        return ResponseEntity.ok().contentType(CsvText.CONTENT_TYPE).body(statement.csv());
    }

    private StatementView read(Jwt token, AccountKey account, LocalDate date) {
        if (date.getYear() < FIRST_YEAR || date.getYear() > LAST_YEAR) {
            throw Problem.INVALID_REQUEST.because("date is a day of the years 1970 to 9999, such as 2026-11-30.");
        }
        return statements
                .find(CallerId.of(token), account, date, clock.instant())
                .map(StatementView::of)
                .orElseThrow(() -> Problem.ACCOUNT_NOT_READ.because("No worker has read account " + account + " on "
                        + date + ". What happened since the last report is in the statement of the next day"
                        + " that has one."));
    }
}
