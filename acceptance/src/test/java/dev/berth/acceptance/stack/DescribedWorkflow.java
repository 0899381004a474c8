package dev.berth.acceptance.stack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.stack.WorkflowEvent.SearchAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A workflow, as {@code temporal workflow describe} prints it. */
public record DescribedWorkflow(
        ExecutionInfo workflowExecutionInfo, @Nullable ExecutionConfig executionConfig) {

    /** The ids of a run. */
    public record Execution(String workflowId, String runId) {}

    /** What visibility has of a run. */
    public record ExecutionInfo(
            Execution execution,
            String status,
            @Nullable Memo memo,
            @Nullable SearchAttributes searchAttributes) {}

    /** The memo, decoded. */
    public record Memo(Map<String, JsonNode> fields) {}

    /** What the start set. */
    public record ExecutionConfig(@Nullable UserMetadata userMetadata) {}

    /** What the Web UI shows of the run; without the codec a payload that is encrypted. */
    public record UserMetadata(@Nullable JsonNode summary) {}

    public String summary() {
        ExecutionConfig config = JsonRecords.required(executionConfig, "executionConfig");
        return JsonRecords.required(
                        JsonRecords.required(config.userMetadata(), "userMetadata")
                                .summary(),
                        "summary")
                .asText();
    }

    /** The text of a memo's field. */
    public String memo(String name) {
        Memo memo = JsonRecords.required(workflowExecutionInfo.memo(), "memo");
        return JsonRecords.required(memo.fields().get(name), name).asText();
    }

    /** Search attributes by name. */
    public Map<String, WorkflowEvent.Payload> searchAttributes() {
        return JsonRecords.required(workflowExecutionInfo.searchAttributes(), "searchAttributes")
                .indexedFields();
    }
}
