package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The account's activities of type FILL. */
record AlpacaActivities(AlpacaHttp http, Duration callLimit) {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaActivities.class);
    /** Alpaca's maximum. */
    private static final int PAGE_SIZE = 100;

    /** Separates the time from the execution's id in an activity's id. */
    private static final String ACTIVITY_ID = "::";

    /** Those of an order. */
    List<Execution> executions(ExecutionReport order) throws IOException, InterruptedException {
        List<Execution> executions = new ArrayList<>();
        String path = "/v2/account/activities/FILL?direction=asc&page_size=%s&order_id=%s"
                .formatted(PAGE_SIZE, order.venueOrderId());
        String pageToken = "";
        while (true) {
            JsonNode page = http.list(path + pageToken, callLimit);
            for (JsonNode activity : page) {
                // A venue that ignores the parameter returns the activities of all orders.
                if (activity.path("order_id").asText().equals(order.venueOrderId())) {
                    execution(activity, order).ifPresent(executions::add);
                }
            }
            String last = page.path(page.size() - 1).path("id").asText();
            String nextToken = "&page_token=" + URLEncoder.encode(last, StandardCharsets.UTF_8);
            if (page.size() < PAGE_SIZE || nextToken.equals(pageToken)) {
                return executions;
            }
            pageToken = nextToken;
        }
    }

    /** Empty when it cannot be read: the order asks again for executions that do not add up. */
    private static Optional<Execution> execution(JsonNode activity, ExecutionReport order) {
        try {
            return Optional.of(execution(activity, order.version()));
        } catch (IllegalArgumentException incomplete) {
            LOG.warn("an execution of {} cannot be read: {}", order.venueOrderId(), incomplete.getMessage());
            return Optional.empty();
        }
    }

    private static Execution execution(JsonNode activity, int version) {
        return new Execution(
                executionId(activity),
                version,
                AlpacaFields.number(activity, "qty"),
                AlpacaFields.number(activity, "price"),
                AlpacaFields.time(activity, "transaction_time"),
                false);
    }

    /** With which the activity's id ends. */
    static String executionId(JsonNode activity) {
        String id = AlpacaFields.text(activity, "id");
        int separator = id.indexOf(ACTIVITY_ID);
        String executionId = separator < 0 ? id : id.substring(separator + ACTIVITY_ID.length());
        if (executionId.isBlank()) {
            throw new IllegalArgumentException("id names no execution");
        }
        return executionId;
    }
}
