package dev.berth.rest.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.rest.Problem;
import dev.berth.workflows.Json;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequeueRequestTest {
    @Test
    void acceptsIdsOrAll() {
        RequeueRequest named = new RequeueRequest(List.of("a:1", "b:2", "a:1"), null, true, "why");
        assertThat(named.check().ids()).hasValue(List.of("a:1", "b:2"));
        assertThat(new RequeueRequest(null, true, false, " why ").check())
                .isEqualTo(new RequeueRequest.Checked(Optional.empty(), false, "why"));
    }

    @Tag("X15")
    @DisplayName("A requeue needs orders, dryRun and a reason")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'dryRun':true,'reason':'r'}                         | either orders",
                "{'ids':['a:1'],'all':true,'dryRun':true,'reason':'r'}| either orders",
                "{'ids':[],'dryRun':true,'reason':'r'}                | 1 to 1000",
                "{'ids':['a:1',null],'dryRun':false,'reason':'r'}     | one is null",
                "{'all':true,'reason':'r'}                            | dryRun",
                "{'all':true,'dryRun':false}                          | reason",
                "{'all':true,'dryRun':false,'reason':' '}             | reason",
                "{'all':true,'dryRun':false,'reason':'no \\u0000 text'} | reason",
                "{'all':true,'dryRun':false,'reason':'\\ud800'}         | reason",
            },
            quoteCharacter = '`')
    void incompleteRequeueIsRefused(String body, String because) {
        RequeueRequest request = Json.read(body.replace('\'', '"'), RequeueRequest.class);
        assertThatThrownBy(request::check).isInstanceOf(Problem.Refusal.class).hasMessageContaining(because);
    }

    @Test
    void tooManyAreRefused() {
        RequeueRequest request = new RequeueRequest(Collections.nCopies(1001, "a:1"), null, true, "why");
        assertThatThrownBy(request::check).hasMessageContaining("1 to 1000");
    }
}
