package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConformanceCasesTest {
    @Test
    @Tag("X17")
    @DisplayName("The document numbers every case of the suite that adapters pass")
    void documentHasEveryCase() throws IOException {
        List<String> cases = Stream.of(
                        SubmissionConformance.class, AnswerConformance.class, BrokerConformanceTest.class)
                .flatMap(part -> Stream.of(part.getDeclaredMethods()))
                .filter(method -> !isLong(method))
                .map(method -> method.getAnnotation(DisplayName.class))
                .filter(Objects::nonNull)
                .map(DisplayName::value)
                .toList();
        assertThat(AdaptersDocument.table("case").stream().skip(1).map(row -> row.get(0) + ". " + row.get(1)))
                .containsExactlyInAnyOrderElementsOf(cases);
    }

    /** Such a test repeats a case. */
    private static boolean isLong(Method method) {
        return Stream.of(method.getAnnotationsByType(Tag.class))
                .anyMatch(tag -> tag.value().equals("long"));
    }
}
