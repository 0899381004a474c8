package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Pages of ARNs. The token is the last ARN of the page before, so new ARNs shift no page. */
final class ArnPage {
    static final int LARGEST = 100;

    private ArnPage() {}

    /** @param arns in any order; pages are sorted by ARN */
    static ObjectNode of(String name, List<String> arns, ApiRequest request) {
        String after = request.text("nextToken").orElse("");
        return first(
                name,
                arns.stream().sorted().filter(arn -> arn.compareTo(after) > 0).toList(),
                request);
    }

    /** @param arns in the order of the pages; none is ever removed */
    static ObjectNode inOrder(String name, List<String> arns, ApiRequest request) {
        int from = request.text("nextToken").map(arns::indexOf).orElse(-1) + 1;
        return first(name, arns.subList(from, arns.size()), request);
    }

    private static ObjectNode first(String name, List<String> remaining, ApiRequest request) {
        int size = request.integer("maxResults", 1, LARGEST, LARGEST);
        List<String> page = remaining.subList(0, Math.min(size, remaining.size()));
        ObjectNode answer = EcsJson.object();
        answer.set(name, EcsJson.texts(page));
        if (remaining.size() > size) {
            answer.put("nextToken", page.getLast());
        }
        return answer;
    }
}
