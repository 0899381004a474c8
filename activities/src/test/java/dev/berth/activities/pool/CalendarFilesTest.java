package dev.berth.activities.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file is an exchange's calendar. */
class CalendarFilesTest {
    private static final List<String> LINES = List.of(
            "exchange XTAE",
            "zone Asia/Jerusalem",
            "days SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY",
            "session 09:30 17:30",
            "first 2026-01-01",
            "last 2028-12-31");

    @Tag("X14")
    @DisplayName("Berth brings calendars; a folder has more, and newer ones of the same exchange")
    @Test
    void folderComesFirst(@TempDir Path folder) throws Exception {
        Files.write(folder.resolve("XTAE.txt"), LINES);
        Files.write(
                folder.resolve("XTAI.txt"),
                LINES.stream().map(line -> line.replace("XTAE", "XTAI")).toList());
        assertThat(CalendarFiles.read("XTAE", folder).exchange()).isEqualTo("XTAE");
        assertThat(CalendarFiles.read("XTAI", folder).last()).isEqualTo("2028-12-31");
        assertThat(CalendarFiles.read("XTAI", null).last()).isEqualTo("2027-12-31");
        assertThat(CalendarFiles.read("XNYS", folder).last()).isEqualTo("2027-12-31");
    }

    @Tag("X14")
    @DisplayName("An unknown exchange, a path, a wrong file, and that of another exchange are refused by name")
    @Test
    void refusesUnknownExchange(@TempDir Path folder) throws Exception {
        Files.write(folder.resolve("XLON.txt"), LINES);
        Files.writeString(folder.resolve("XBAD.txt"), "exchange XBAD\nopen always\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarFiles.read("XBAD", folder))
                .withMessage("berth.pool.calendar.exchanges, XBAD.txt: No exchange calendar:"
                        + " line 2 is neither a field nor a day");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarFiles.read("XPAR", folder))
                .withMessage("berth.pool.calendar.exchanges has XPAR, and there is no file XPAR.txt");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarFiles.read("../XNYS", folder))
                .withMessage("berth.pool.calendar.exchanges are codes such as XNYS, not '../XNYS'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarFiles.read("XLON", folder))
                .withMessage("berth.pool.calendar.exchanges, XLON.txt: It is the calendar of XTAE");
    }
}
