package dev.berth.temporal.codec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Master keys in a file that its owner alone can read, one a line: the time from which it encrypts,
 * a space, and 32 bytes as Base64, or {@code kms:} and what AWS KMS made of them. The latest that
 * has begun encrypts, all decrypt. A changed file is read within seconds, and at once when a
 * payload names an unknown key.
 */
public final class FileMasterKeys implements MasterKeys {
    private static final Logger LOG = LoggerFactory.getLogger(FileMasterKeys.class);
    private static final Duration RELOAD = Duration.ofSeconds(5);
    private static final int BYTES = 32;

    private final Path file;
    private final InstantSource clock;
    private final UnaryOperator<byte[]> unwrap;
    private volatile Loaded loaded;

    /** The keys of one state of the file, oldest first. */
    private record Loaded(List<MasterKey> keys, FileTime modified, Instant checkedAt) {}

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException when it is unusable; the message says what to do
     */
    public FileMasterKeys(Path file, InstantSource clock) {
        // No method reference: that would need the AWS SDK even where no key is wrapped.
        this(file, clock, wrapped -> KmsUnwrapping.bySdk(wrapped));
    }

    FileMasterKeys(Path file, InstantSource clock, UnaryOperator<byte[]> unwrap) {
        this.file = file;
        this.clock = clock;
        this.unwrap = unwrap;
        this.loaded = load();
    }

    @Override
    public String current() {
        reload(RELOAD);
        List<MasterKey> keys = loaded.keys();
        Instant now = clock.instant();
        return keys.reversed().stream()
                .filter(key -> !now.isBefore(key.from()))
                .findFirst()
                .orElse(keys.getFirst())
                .id();
    }

    @Override
    public byte[] derive(PayloadKeyId id) {
        if (loaded.keys().stream().noneMatch(key -> key.id().equals(id.masterKey()))) {
            reload(Duration.ZERO);
        }
        MasterKey master = loaded.keys().stream()
                .filter(key -> key.id().equals(id.masterKey()))
                .findFirst()
                .orElseThrow(() -> new MissingPayloadKeyException(id));
        byte[] info = ("berth payloads of " + id.owner()).getBytes(StandardCharsets.UTF_8);
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.ofExtract().addIKM(master.key()).thenExpand(info, BYTES));
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private void reload(Duration age) {
        Loaded before = loaded;
        Instant now = clock.instant();
        if (now.isBefore(before.checkedAt().plus(age))) {
            return;
        }
        try {
            loaded = Files.getLastModifiedTime(file).equals(before.modified())
                    ? new Loaded(before.keys(), before.modified(), now)
                    : load();
        } catch (IOException | IllegalArgumentException unusable) {
            // The keys in memory are as good as before.
            LOG.error("the changed key file is not used: {}", unusable.getMessage());
            loaded = new Loaded(before.keys(), before.modified(), now);
        }
    }

    private Loaded load() {
        try {
            // Before the content: a change in between is read the next time.
            FileTime modified = Files.getLastModifiedTime(file);
            String content = new String(KeyFile.read(file, "berth.codec.key-file"), StandardCharsets.UTF_8);
            List<MasterKey> keys = content.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> MasterKey.parse(line, file, unwrap))
                    .sorted()
                    .toList();
            if (keys.isEmpty()) {
                throw new IllegalArgumentException("The key file " + file + " has no key. " + MasterKey.FORM);
            }
            return new Loaded(keys, modified, clock.instant());
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "The key file " + file + " (berth.codec.key-file) cannot be read: " + unreadable, unreadable);
        }
    }
}
