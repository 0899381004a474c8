package dev.berth.rest.account;

import dev.berth.activities.account.AccountFill;
import dev.berth.activities.account.AccountFillQuery;
import dev.berth.activities.account.AccountFills;
import dev.berth.rest.CallerId;
import dev.berth.rest.CsvText;
import dev.berth.rest.CursorText;
import dev.berth.rest.PageLimit;
import dev.berth.rest.Problem;
import dev.berth.rest.RequestTime;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.order.OrderValidator;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.broker.AccountKey;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The executions over a user's accounts. */
@RestController
@Tag(name = "accounts")
class FillController {
    private static final PageLimit LIMIT = new PageLimit(500);
    /** About 2 MB, and a month of most accounts. */
    private static final int CSV_LINES = 10_000;

    private static final String ACCOUNT_FORM = "^[A-Za-z0-9_-]{1,64}(/[A-Za-z0-9_-]{1,64}){3}$";

    private final AccountFills fills;

    FillController(AccountFills fills) {
        this.fills = fills;
    }

    @GetMapping("/v1/fills")
    @OperationResponses(problems = Problem.INVALID_ACCOUNT)
    @Operation(
            summary = "My executions, newest first",
            description = "Of orders that were made here or elsewhere, each once. account is"
                    + " broker/market/environment/accountId; without it, every account. from (included) and to"
                    + " (excluded) are RFC 3339 times by the venue's clock. limit is 1 to 500. An execution that the"
                    + " venue took back is busted, and counts nothing. With the header Accept: text/csv, lines of CSV"
                    + " with a header line: up to 10,000 in one answer, without limit; the header Link has the address"
                    + " of the next lines, which continue the text without another header line.")
    Page<AccountFillView> fills(
            @AuthenticationPrincipal Jwt token,
            @RequestParam @Schema(pattern = ACCOUNT_FORM) @Nullable String account,
            @RequestParam @Nullable String symbol,
            @RequestParam @Nullable Instant from,
            @RequestParam @Nullable Instant to,
            @RequestParam(defaultValue = "50") @Schema(minimum = "1", maximum = "500") int limit,
            @RequestParam @Nullable String cursor) {
        return page(query(token, account, symbol, from, to, LIMIT.check(limit), cursor));
    }

    @GetMapping(path = "/v1/fills", produces = CsvText.MEDIA_TYPE)
    @OperationResponses(problems = Problem.INVALID_ACCOUNT)
    @Operation(summary = "My executions as CSV, newest first")
    ResponseEntity<String> csv(
            @AuthenticationPrincipal Jwt token,
            @RequestParam @Schema(pattern = ACCOUNT_FORM) @Nullable String account,
            @RequestParam @Nullable String symbol,
            @RequestParam @Nullable Instant from,
            @RequestParam @Nullable Instant to,
            @RequestParam @Nullable String cursor) {
        Page<AccountFillView> page = page(query(token, account, symbol, from, to, CSV_LINES, cursor));
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok().contentType(CsvText.CONTENT_TYPE);
        if (page.nextCursor() != null) {
            answer.header(
                    HttpHeaders.LINK,
                    CsvText.next(ServletUriComponentsBuilder.fromCurrentRequest(), page.nextCursor()));
        }
        return answer.body(AccountFillView.csv(page.items(), cursor == null));
    }

    private Page<AccountFillView> page(AccountFillQuery query) {
        return Page.of(fills.page(query), query.limit(), FillController::cursor).map(AccountFillView::of);
    }

    private static AccountFillQuery query(
            Jwt token,
            @Nullable String account,
            @Nullable String symbol,
            @Nullable Instant from,
            @Nullable Instant to,
            int limit,
            @Nullable String cursor) {
        return new AccountFillQuery(
                CallerId.of(token),
                account == null ? null : account(account),
                symbol == null ? null : OrderValidator.wellFormed(symbol),
                from,
                to,
                limit,
                cursor == null ? null : position(cursor));
    }

    private static AccountKey account(String text) {
        try {
            return AccountKey.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ACCOUNT.because(String.valueOf(invalid.getMessage()));
        }
    }

    /** The client order id has no blank, and the venue's id may have any. */
    private static String cursor(AccountFill last) {
        AccountFill.Position position = last.position();
        return CursorText.of(position.at(), position.orderId(), position.id());
    }

    private static AccountFill.Position position(String cursor) {
        return CursorText.parse(
                cursor, 3, parts -> new AccountFill.Position(RequestTime.parse(parts[0]), parts[2], parts[1]));
    }
}
