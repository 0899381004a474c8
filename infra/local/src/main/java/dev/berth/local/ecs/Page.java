package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Cuts a list of ARNs into pages; the token is the last element of the page before, so new ones do not shift it. */
final class Page {
    static final int LARGEST = 100;

    private Page() {}

    /** @param arns in any order; pages go by ascending ARN, and elements that went away are skipped */
    static ObjectNode of(String name, List<String> arns, ApiRequest request) {
        int size = request.integer("maxResults", 1, LARGEST, LARGEST);
        String after = request.text("nextToken").orElse("");
        List<String> rest = arns.stream()
                .sorted()
                .filter(arn -> arn.compareTo(after) > 0)
                .limit(size + 1L)
                .toList();
        List<String> page = rest.subList(0, Math.min(size, rest.size()));
        ObjectNode answer = Json.object();
        answer.set(name, Json.texts(page));
        if (rest.size() > size) {
            answer.put("nextToken", page.getLast());
        }
        return answer;
    }
}
