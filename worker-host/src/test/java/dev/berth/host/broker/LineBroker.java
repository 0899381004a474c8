package dev.berth.host.broker;

import dev.berth.workflows.broker.OrderIdentity;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A broker that speaks lines over TCP: one connection of the account, a newer one ends it; requests
 * and events are numbered, and events are repeated from the number that the client names. Where
 * client order ids are not unique, they are for the tally of the tests alone: no answer shows one.
 */
final class LineBroker implements AutoCloseable {
    private static final String GARBLED = "<html>|";

    final BrokerFaults faults = new BrokerFaults();
    private final FakeExchange exchange;
    private final OrderIdentity identity;
    /** By the client order id. */
    private final Map<String, String> tags = new ConcurrentHashMap<>();

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private @Nullable Socket current;

    LineBroker(FakeExchange exchange, OrderIdentity identity) throws IOException {
        this.exchange = exchange;
        this.identity = identity;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client;
                InputStream in = new BufferedInputStream(client.getInputStream())) {
            OutputStream out = client.getOutputStream();
            String[] hello = line(in).split("\\|", -1);
            if (faults.revoked || !hello[2].equals("open-sesame")) {
                write(out, "DENIED|0");
                return;
            }
            displace(client);
            write(out, "WELCOME|0");
            exchange.subscribe(Integer.parseInt(hello[3]), event -> tryWrite(out, event));
            while (true) {
                String[] request = line(in).split("\\|", -1);
                write(out, answer(client, request));
            }
        } catch (IOException | UncheckedIOException gone) {
            // The client has left.
        }
    }

    private synchronized void displace(Socket client) throws IOException {
        if (current != null) {
            current.close();
        }
        current = client;
    }

    /** A line without its end was cut: it is no request. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the client has left");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    private String answer(Socket client, String[] request) throws IOException {
        String number = request[1];
        if (faults.garbles) {
            return GARBLED + number;
        }
        if (faults.revoked) {
            return "DENIED|" + number;
        }
        if (faults.busy) {
            return "BUSY|" + number;
        }
        return switch (request[0]) {
            case "NEW" -> submit(client, number, request);
            case "ASK" -> found(number, request[2]);
            case "CXL" -> {
                if (faults.refusesCancels) {
                    yield "REJ|" + number + "|order is not cancelable";
                }
                find(request[2]).map(FakeExchange.Order::clientId).ifPresent(exchange::cancel);
                yield found(number, request[2]);
            }
            case "LIST" -> "OK|" + number + "|" + list(Instant.parse(request[2]));
            case "RPL" -> {
                FakeExchange.Order next = exchange.replace(
                        request[2], request[3], new BigDecimal(request[4]), new BigDecimal(request[5]));
                yield next == null ? "LATE|" + number : "OK|" + number + "|" + text(next);
            }
            case "ANY" -> (exchange.hasWorking() ? "OK|" : "NONE|") + number;
            default -> throw new IOException("unknown request");
        };
    }

    private String submit(Socket client, String number, String[] request) throws IOException {
        Optional<FakeExchange.Order> used = exchange.find(request[2]);
        tags.put(request[2], identity == OrderIdentity.TAG ? request[7] : "");
        if (used.isPresent() && identity == OrderIdentity.UNIQUE) {
            return "DUP|" + number + "|" + text(used.get());
        }
        BigDecimal limit = request[6].isEmpty() ? null : new BigDecimal(request[6]);
        FakeExchange.Order order =
                exchange.submit(request[2], request[3], request[4], new BigDecimal(request[5]), limit);
        if (faults.losesAnswer) {
            faults.losesAnswer = false;
            client.close();
        }
        if (faults.garblesNext) {
            faults.garblesNext = false;
            return GARBLED + number;
        }
        return order == null ? "REJ|" + number + "|insufficient funds" : "OK|" + number + "|" + text(order);
    }

    private Optional<FakeExchange.Order> find(String id) {
        return identity == OrderIdentity.UNIQUE ? exchange.find(id) : exchange.findById(id);
    }

    private String found(String number, String id) {
        return find(id).map(order -> "OK|" + number + "|" + text(order)).orElse("NONE|" + number);
    }

    /** Each order's fields have another separator than the answer's. */
    private String list(Instant since) {
        return exchange.orders().stream()
                .filter(order -> order.isWorking() || !order.acceptedAt().isBefore(since))
                .map(order -> text(order).replace('|', '^'))
                .collect(Collectors.joining("!"));
    }

    /** How the broker names it: by the client order id, or by its tag and when it came. */
    private String label(FakeExchange.Order order) {
        return identity == OrderIdentity.UNIQUE
                ? order.clientId()
                : tags.getOrDefault(order.clientId(), "") + "@" + order.acceptedAt();
    }

    /** Fills last: each is id, quantity, price and time. */
    private String text(FakeExchange.Order order) {
        return String.join(
                "|",
                label(order),
                order.id(),
                order.side(),
                order.symbol(),
                order.quantity().toPlainString(),
                order.limit() == null ? "" : order.limit().toPlainString(),
                order.status(),
                order.updatedAt().toString(),
                order.fills().stream().map(LineBroker::text).collect(Collectors.joining(";")));
    }

    private static String text(FakeExchange.Fill fill) {
        return String.join(
                ",",
                fill.id(),
                fill.quantity().toPlainString(),
                fill.price().toPlainString(),
                fill.time().toString());
    }

    private void tryWrite(OutputStream out, FakeExchange.Event event) {
        try {
            write(
                    out,
                    String.join(
                            "|",
                            "EVT",
                            String.valueOf(event.number()),
                            text(event.order()),
                            event.fill() == null ? "" : text(event.fill()),
                            event.corrected() == null ? "" : text(event.corrected())));
        } catch (IOException gone) {
            // The event is repeated on the next connection.
        }
    }

    private static void write(OutputStream out, String line) throws IOException {
        synchronized (out) {
            out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException ignored) {
            // It is closed.
        }
    }
}
