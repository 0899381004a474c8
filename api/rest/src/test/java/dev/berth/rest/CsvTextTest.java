package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.util.UriComponentsBuilder;

class CsvTextTest {
    @Test
    @Tag("T9")
    @DisplayName("The link to the next lines has the request's query as it was encoded, and the new cursor")
    void linkKeepsQuery() {
        String asked = "http://localhost/v1/fills?account=a%2Fb%2Fpaper%2Fc&from=2026-11-01T00%3A00%3A00Z&cursor=eA";
        assertThat(CsvText.next(UriComponentsBuilder.fromUriString(asked), "e-_9"))
                .isEqualTo("<" + asked.replace("eA", "e-_9") + ">; rel=\"next\"");
    }
}
