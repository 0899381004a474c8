package dev.berth.acceptance.security;

import dev.berth.acceptance.stack.Processes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPrivateKeySpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What root finds in a running worker: its environment, and in its memory the certificate, the key
 * and the assignment by which it calls the gateway.
 *
 * @param assignment null for a pool worker without a user
 */
record StolenIdentity(
        Map<String, String> environment,
        String taskArn,
        X509Certificate certificate,
        PrivateKey key,
        @Nullable String assignment) {
    /** Heap and native memory; stacks and libraries hold no whole certificate. */
    private static final Pattern WRITABLE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) rw-p .*");

    private static final int LARGEST_REGION = 256 << 20;
    /** An EC private key of 256 bits without parameters, as the JDK keeps it: RFC 5915. */
    private static final String EC_KEY =
            new String(HexFormat.of().parseHex("30250201010420"), StandardCharsets.ISO_8859_1);

    private static final int KEY_BYTES = 32;
    /** A DER sequence with a length of two bytes, in which another begins. */
    private static final Pattern CERTIFICATE = Pattern.compile("\\x30\\x82(..)\\x30\\x82", Pattern.DOTALL);

    /** Reads the process. */
    static StolenIdentity of(long pid, String taskArn) throws IOException, GeneralSecurityException {
        String taskId = taskArn.substring(taskArn.lastIndexOf('/') + 1);
        List<String> memory = memory(pid);
        X509Certificate certificate = memory.stream()
                .flatMap(region -> certificates(region, taskArn).stream())
                .max(Comparator.comparing(X509Certificate::getNotAfter))
                .orElseThrow(() -> new AssertionError("no certificate of " + taskArn + " in process " + pid));
        PrivateKey key = null;
        String assignment = null;
        Pattern token = Pattern.compile(Pattern.quote(taskId) + "\\.[a-z0-9-]+\\.\\d+\\.[A-Za-z0-9_-]{43}");
        for (String region : memory) {
            key = key == null ? key(region, certificate).orElse(null) : key;
            Matcher found = token.matcher(region);
            assignment = assignment == null && found.find() ? found.group() : assignment;
        }
        if (key == null) {
            throw new AssertionError("no key of the certificate in process " + pid);
        }
        return new StolenIdentity(Processes.environment(pid), taskArn, certificate, key, assignment);
    }

    /** Each region as ISO 8859-1, in which a byte is a character. */
    private static List<String> memory(long pid) throws IOException {
        List<String> regions = new ArrayList<>();
        try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"), StandardCharsets.UTF_8)) {
                Matcher region = WRITABLE.matcher(line);
                if (!region.matches()) {
                    continue;
                }
                long from = Long.parseUnsignedLong(region.group(1), 16);
                long size = Long.parseUnsignedLong(region.group(2), 16) - from;
                if (size <= LARGEST_REGION) {
                    byte[] content = new byte[(int) size];
                    try {
                        memory.seek(from);
                        memory.readFully(content);
                        regions.add(new String(content, StandardCharsets.ISO_8859_1));
                    } catch (IOException unmapped) {
                        // Since the list was read.
                    }
                }
            }
        }
        return regions;
    }

    /** All that parse and name the task. */
    private static List<X509Certificate> certificates(String region, String taskArn) {
        List<X509Certificate> found = new ArrayList<>();
        Matcher begin = CERTIFICATE.matcher(region);
        while (begin.find()) {
            int length = 4 + (begin.group(1).charAt(0) << 8) + begin.group(1).charAt(1);
            int end = begin.start() + length;
            if (end <= region.length() && region.substring(begin.start(), end).contains(taskArn)) {
                byte[] der = region.substring(begin.start(), end).getBytes(StandardCharsets.ISO_8859_1);
                try {
                    found.add((X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
                } catch (GeneralSecurityException other) {
                    // Bytes that begin like a certificate.
                }
            }
        }
        return found;
    }

    private static Optional<PrivateKey> key(String region, X509Certificate certificate)
            throws GeneralSecurityException {
        for (int begin = region.indexOf(EC_KEY); begin >= 0; begin = region.indexOf(EC_KEY, begin + 1)) {
            int value = begin + EC_KEY.length();
            if (value + KEY_BYTES > region.length()) {
                break;
            }
            byte[] secret = region.substring(value, value + KEY_BYTES).getBytes(StandardCharsets.ISO_8859_1);
            PrivateKey key = KeyFactory.getInstance("EC")
                    .generatePrivate(new ECPrivateKeySpec(
                            new BigInteger(1, secret), ((ECPublicKey) certificate.getPublicKey()).getParams()));
            if (isOf(key, certificate)) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }

    private static boolean isOf(PrivateKey key, X509Certificate certificate) {
        try {
            byte[] text = "of the certificate".getBytes(StandardCharsets.US_ASCII);
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certificate);
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException noKey) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "StolenIdentity[" + taskArn + "]";
    }
}
