package dev.berth.rest.webhook;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.berth.activities.webhook.Webhook;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.Json;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes alarms from Alertmanager for the operators' webhooks. */
@RestController
@RequestMapping("/v1/fleet/alarms")
@Tag(name = "fleet")
class AlarmController {
    private final WebhookStore store;
    private final TransactionTemplate transaction;

    AlarmController(WebhookStore store, TransactionTemplate transaction) {
        this.store = store;
        this.transaction = transaction;
    }

    /** What Alertmanager's {@code webhook_configs} sends, as far as it is used. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @Schema(name = "Alarms")
    record Notification(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
            List<@Nullable Alarm> alerts) {}

    /**
     * One alarm.
     *
     * @param status {@code firing} or {@code resolved}
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @Schema(name = "Alarm")
    record Alarm(
            @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    allowableValues = {"firing", "resolved"})
            @Nullable
            String status,

            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            @Nullable String startsAt,
            @Nullable String endsAt) {

        Alarm {
            // Alertmanager sends the year 1.
            endsAt = "firing".equals(status) ? null : endsAt;
        }

        String event() {
            return switch (status) {
                case "firing" -> Webhook.ALARM_FIRING;
                case "resolved" -> Webhook.ALARM_RESOLVED;
                case null, default ->
                    throw Problem.INVALID_REQUEST.because("Each of alerts has a status, firing or resolved.");
            };
        }
    }

    @PostMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @OperationResponses(status = HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Tell the operators of alarms",
            description = "A message to each of the operators' webhooks for each alarm; for Alertmanager.")
    void tell(@RequestBody Notification notification) {
        List<@Nullable Alarm> alarms = notification.alerts();
        if (alarms == null || alarms.contains(null)) {
            throw Problem.INVALID_REQUEST.because("Send alerts, as Alertmanager's webhook_configs does.");
        }
        transaction.executeWithoutResult(_ -> {
            for (Alarm alarm : alarms) {
                store.addAlarm(alarm.event(), Json.write(alarm));
            }
        });
    }
}
