package dev.berth.local.stack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Sends orders through every layer of a stack, and cancels some, so that a JVM that writes its
 * class archive has profiles of the methods that are hot under load.
 *
 * @param api of the stack
 * @param token of the user whose orders these are, with a paper account
 */
record TrainingOrders(URI api, String token) {
    /** In less, few methods get as far as the compiler that profiles serve. */
    private static final Duration TIME = Duration.ofSeconds(60);

    private static final int AT_ONCE = 3;
    /** A stack that works sends ten times as many. */
    private static final int FEWEST = 50;

    private static final Duration ANSWER = Duration.ofSeconds(40);
    /** @throws IOException when orders are refused, or too few get through */
    void send() throws IOException, InterruptedException {
        Instant end = Instant.now().plus(TIME);
        int sent = 0;
        try (HttpClient http = HttpClient.newHttpClient();
                ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<Integer>> loops = threads.invokeAll(IntStream.range(0, AT_ONCE)
                    .mapToObj(number -> (Callable<Integer>) () -> sendUntil(end, http, "training-" + number))
                    .toList());
            for (Future<Integer> loop : loops) {
                sent += loop.get();
            }
        } catch (ExecutionException failed) {
            throw new IOException("the training's orders failed", failed.getCause());
        }
        if (sent < FEWEST) {
            throw new IOException("only " + sent + " orders got through within " + TIME);
        }
    }

    private int sendUntil(Instant end, HttpClient http, String prefix) throws IOException, InterruptedException {
        int number = 0;
        while (Instant.now().isBefore(end)) {
            String id = prefix + "-" + number++;
            call(http, post(id, "\"type\": \"market\""));
            String rests = id + "-rests";
            call(http, post(rests, "\"type\": \"limit\", \"limitPrice\": \"1\""));
            call(http, to("/" + rests).DELETE());
        }
        return number;
    }

    private HttpRequest.Builder post(String id, String terms) {
        String order = """
                {"clientOrderId": "%s", "symbol": "SPY", "side": "buy", "quantity": "1", "timeInForce": "day", %s,
                 "account": {"broker": "alpaca", "market": "equity", "environment": "paper", "accountId": "paper"}}
                """.formatted(id, terms);
        return to("").header("Content-Type", "application/json").POST(BodyPublishers.ofString(order));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(api.resolve("/v1/orders" + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + token)
                .header("Prefer", "wait=30");
    }

    private static void call(HttpClient http, HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("refused with " + answer.statusCode() + ": " + answer.body());
        }
    }
}
