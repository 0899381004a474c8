package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** QuickFIX's acceptance definitions for servers of FIX 4.4 hold for the venue. */
class FixDefinitionsTest {
    private static final Path DEFINITIONS = Path.of("src/test/resources/quickfix-acceptance");

    /** By name: why the venue differs. */
    private static final Map<String, String> NOT_APPLICABLE = Map.of(
            "1c_InvalidSenderCompID", "any SenderCompID is an account",
            "14a_BadField", "tags from 5000 are users' own, as BerthEpoch is",
            "19a_PossResendMessageThatHAsAlreadyBeenSent", "a refused order uses no ClOrdID; a known one is reported",
            "21_RepeatingGroupSpecifierWithValueOfZero", "the venue serves no SecurityDefinition",
            "MinQty44", "the order trades at once: two reports instead of one echo, without MinQty");

    private static final Set<String> SLOW = Set.of("4a_NoDataSentDuringHeartBtInt", "6_SendTestRequest");

    private static final AtomicInteger ACCOUNTS = new AtomicInteger(Integer.parseInt("A0", 36));

    @TempDir
    static Path folder;

    private static PaperVenue venue;

    @BeforeAll
    static void start() {
        venue = PaperVenue.start(0, folder.resolve("book.jsonl"));
    }

    @AfterAll
    static void stop() {
        venue.close();
    }

    static Stream<Path> definitions() throws IOException {
        try (var files = Files.list(DEFINITIONS)) {
            return files
                    .filter(file -> file.toString().endsWith(".def"))
                    .filter(file -> !NOT_APPLICABLE.containsKey(nameOf(file)) && !SLOW.contains(nameOf(file)))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString().replace(".def", "");
    }

    @ParameterizedTest
    @MethodSource("definitions")
    @DisplayName("The definition holds")
    void definitionHolds(Path file) throws IOException {
        try (var definition = new FixDefinition(venue, FixDefinitionsTest::nextAccount)) {
            definition.run(file);
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"4a_NoDataSentDuringHeartBtInt", "6_SendTestRequest"})
    @DisplayName("The definition holds, which waits for heartbeats")
    void slowDefinitionHolds(String name) throws IOException {
        definitionHolds(DEFINITIONS.resolve(name + ".def"));
    }

    @Test
    @DisplayName("Each definition that does not apply exists")
    void exceptionsExist() {
        assertThat(NOT_APPLICABLE.keySet()).allMatch(name -> Files.exists(DEFINITIONS.resolve(name + ".def")));
        assertThat(SLOW).allMatch(name -> Files.exists(DEFINITIONS.resolve(name + ".def")));
    }

    private static String nextAccount() {
        return Integer.toString(ACCOUNTS.getAndIncrement(), 36);
    }
}
