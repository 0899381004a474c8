package dev.berth.rest.audit;

import dev.berth.rest.PageLimit;
import dev.berth.rest.Problem;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.PlainText;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads and checks the audit. */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "audit")
class AuditController {
    private static final PageLimit LIMIT = new PageLimit(1000);

    private final AuditLog audit;

    AuditController(AuditLog audit) {
        this.audit = audit;
    }

    @GetMapping("/audit")
    @Operation(
            summary = "Who did what, newest first",
            description = "Changes, commands and reads of operators, and changes of credentials by users. actor is the"
                    + " subject of a token. after is the nextCursor of the page before, which is the chain and the number"
                    + " of its last row. limit is 1 to 1000.")
    Page<AuditRow> rows(
            @RequestParam @Nullable String userId,
            @RequestParam @Schema(minLength = 1, maxLength = AuditActor.MAX_LENGTH) @Nullable String actor,
            @RequestParam @Nullable AuditAction action,
            @RequestParam @Schema(pattern = AuditPosition.FORM) @Nullable String after,
            @RequestParam(defaultValue = "100") @Schema(minimum = "1", maximum = "1000") int limit) {
        UserId user = userId == null ? null : new UserId(userId);
        if (actor != null && !PlainText.is(actor)) {
            throw Problem.INVALID_REQUEST.because("actor contains control or formatting characters.");
        }
        AuditQuery query = new AuditQuery(
                user, actor, action, after == null ? null : AuditPosition.parse(after), LIMIT.check(limit));
        return Page.of(audit.search(query), limit, row -> row.position().toString());
    }

    @GetMapping("/audit:verify")
    @Operation(
            summary = "Check the whole audit",
            description = "Computes the hash of every row anew, and names the first row that was changed or removed."
                    + " Rows that were removed at the end are found only with expectHead, the head of an earlier check"
                    + " that was kept elsewhere.")
    AuditCheck verify(@RequestParam @Schema(pattern = AuditHeads.FORM) @Nullable String expectHead) {
        return AuditCheck.of(audit.verify(expectHead == null ? null : AuditHeads.parse(expectHead)));
    }
}
