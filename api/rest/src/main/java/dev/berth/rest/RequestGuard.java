package dev.berth.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses a request that is too large, or whose parameters cannot be decoded, before any other
 * filter reads its body.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class RequestGuard extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        int maxBytes = LimitedBody.maxBytes(request);
        if (request.getContentLengthLong() > maxBytes) {
            ProblemWriter.write(response, LimitedBody.refusal(maxBytes));
            return;
        }
        try {
            // Tomcat decodes them at the first call. Later this exception would end any reader.
            request.getParameterMap();
        } catch (InvalidParameterException invalid) {
            ProblemWriter.write(response, refusal(invalid));
            return;
        }
        chain.doFilter(request.getContentLengthLong() < 0 ? new LimitedBody(request) : request, response);
    }

    private static Problem.Refusal refusal(InvalidParameterException invalid) {
        return invalid.getErrorCode() == HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE
                ? LimitedBody.refusal(LimitedBody.MAX_BYTES)
                : Problem.INVALID_REQUEST.because(
                        "The parameters cannot be decoded: write a percent sign as %25, and the rest as RFC 3986 says.");
    }
}
