package dev.berth.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.io.IOException;

/** Somebody with the scope {@code fleet}. */
record Operator(Rest api, String bearer) {

    static Operator of(Stack stack) throws IOException, InterruptedException {
        return new Operator(
                stack.api(),
                "Bearer " + stack.berth("token", "olga", "--scope", "fleet").strip());
    }

    Answer get(String path) throws IOException, InterruptedException {
        return api.call("GET", "/v1/fleet" + path, null, "Authorization", bearer);
    }

    String text(String path) throws IOException, InterruptedException {
        return api.call("GET", "/v1/fleet" + path, null, "Authorization", bearer, "Accept", "text/plain")
                .raw()
                .body();
    }

    /** What {@code command} is told of: {@code /workers/alice:suspend}, {@code /workers:resume} and so on. */
    Answer tell(String command, String reason) throws IOException, InterruptedException {
        return post(command, "{\"reason\":\"" + reason + "\"}");
    }

    Answer post(String path, String body) throws IOException, InterruptedException {
        return api.call("POST", "/v1/fleet" + path, body, "Authorization", bearer);
    }

    Answer put(String path, String body) throws IOException, InterruptedException {
        return api.call("PUT", "/v1/fleet" + path, body, "Authorization", bearer);
    }

    JsonNode worker(String user) throws IOException, InterruptedException {
        return get("/workers/" + user).body();
    }
}
