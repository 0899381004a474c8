package dev.berth.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Somebody with the scope {@code fleet}. */
public record Operator(Rest api, String bearer) {

    public static Operator of(Stack stack) throws IOException {
        return new Operator(stack.api(), "Bearer " + new Tokens(stack).sign("olga", "fleet"));
    }

    public Answer get(String path) throws IOException, InterruptedException {
        return api.call("GET", "/v1/fleet" + path, null, "Authorization", bearer);
    }

    public String text(String path) throws IOException, InterruptedException {
        return api.call("GET", "/v1/fleet" + path, null, "Authorization", bearer, "Accept", "text/plain")
                .raw()
                .body();
    }

    /** What {@code command} is told of: {@code /workers/alice:suspend}, {@code /workers:resume} and so on. */
    public Answer tell(String command, String reason) throws IOException, InterruptedException {
        return post(command, "{\"reason\":\"" + reason + "\"}");
    }

    public Answer post(String path, @Nullable String body) throws IOException, InterruptedException {
        return api.call("POST", "/v1/fleet" + path, body, "Authorization", bearer);
    }

    public Answer put(String path, String body) throws IOException, InterruptedException {
        return api.call("PUT", "/v1/fleet" + path, body, "Authorization", bearer);
    }

    /**
     * Throws the kill switch, or takes it back.
     *
     * @param whose orders: {@code all}, {@code user:alice}, {@code broker:alpaca}
     * @return every switch
     * @throws IOException when it was not done
     */
    public JsonNode killSwitch(String whose, boolean on) throws IOException, InterruptedException {
        String[] parts = whose.split(":", 2);
        String name = switch (parts[0]) {
            case "user" -> "\"userId\":\"" + parts[1] + "\",";
            case "broker" -> "\"broker\":\"" + parts[1] + "\",";
            default -> "";
        };
        Answer answer = put(
                "/kill-switch", "{\"level\":\"%s\",%s\"on\":%s,\"reason\":\"a test\"}".formatted(parts[0], name, on));
        if (answer.status() != 200) {
            throw new IOException("the kill switch was not thrown: " + answer.body());
        }
        return answer.body().path("switches");
    }

    public JsonNode worker(String user) throws IOException, InterruptedException {
        return get("/workers/" + user).body();
    }
}
