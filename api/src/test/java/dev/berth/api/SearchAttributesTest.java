package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.BerthSearchAttributes;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.common.SearchAttributeKey;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SearchAttributesTest {
    @Test
    void theServerIsToldExactlyThoseThatTheCodeUses() throws Exception {
        Properties file = new Properties();
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("/temporal/search-attributes.properties"))) {
            file.load(in);
        }
        Map<String, String> used = BerthSearchAttributes.ALL.stream()
                .collect(Collectors.toMap(SearchAttributeKey::getName, key -> word(key.getValueType())));
        assertThat(file).containsExactlyInAnyOrderEntriesOf(used);
    }

    private static String word(IndexedValueType type) {
        return switch (type) {
            case INDEXED_VALUE_TYPE_KEYWORD -> "Keyword";
            case INDEXED_VALUE_TYPE_BOOL -> "Bool";
            default -> throw new IllegalArgumentException("name the word for " + type);
        };
    }
}
