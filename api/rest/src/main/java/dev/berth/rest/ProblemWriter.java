package dev.berth.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/** Writes problem documents outside of Spring MVC: in filters and in Tomcat. */
final class ProblemWriter {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    private ProblemWriter() {}

    static void write(HttpServletResponse answer, Problem.Refusal refusal) throws IOException {
        ProblemDetail detail = refusal.detail();
        answer.setStatus(detail.getStatus());
        answer.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        refusal.retryAfterSeconds()
                .ifPresent(seconds -> answer.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
        answer.getOutputStream().write(JSON.writeValueAsBytes(detail));
    }
}
