package dev.berth.rest;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** An identity provider: its keys over HTTP, and tokens with any claims. */
final class TestProvider implements AutoCloseable {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final RSAKey key;
    private final HttpServer server;

    TestProvider() throws IOException, JOSEException {
        key = new RSAKeyGenerator(2048).keyID("first").generate();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] keys = "{\"keys\":[%s]}".formatted(key.toPublicJWK()).getBytes(StandardCharsets.UTF_8);
        server.createContext("/keys", call -> {
            call.sendResponseHeaders(200, keys.length);
            call.getResponseBody().write(keys);
            call.close();
        });
        server.start();
    }

    String keysUri() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
    }

    /**
     * A signed token that is valid for ten minutes.
     *
     * @param type {@code typ} of the header
     * @param claims as JSON
     */
    String token(String type, String claims) throws JOSEException {
        Map<String, Object> all =
                new HashMap<>(JSON.readerForMapOf(Object.class).<Map<String, Object>>readValue(claims));
        all.put("exp", Instant.now().plusSeconds(600).getEpochSecond());
        JWSObject token = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(key.getKeyID())
                        .type(new JOSEObjectType(type))
                        .build(),
                new Payload(JSON.writeValueAsString(all)));
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
