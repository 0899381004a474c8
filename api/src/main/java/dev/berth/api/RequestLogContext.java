package dev.berth.api;

import dev.berth.workflows.ClientOrderId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Whom and which order a request is about, in each line that is logged for it: {@code userId} and {@code orderId}. */
@Component
public class RequestLogContext implements AsyncHandlerInterceptor, WebMvcConfigurer {
    static final String USER = "userId";
    static final String ORDER = "orderId";

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    /** A submission names its order in its body: this is said once it is read. */
    public static void about(ClientOrderId order) {
        MDC.put(ORDER, order.value());
    }

    /** An operator's request is about the user in its address, any other about who makes it. */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Principal caller = request.getUserPrincipal();
        put(USER, caller == null ? null : caller.getName());
        if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> address) {
            put(USER, address.get("userId"));
            put(ORDER, address.get("clientOrderId"));
        }
        return true;
    }

    private static void put(String key, @Nullable Object value) {
        if (value != null) {
            MDC.put(key, value.toString());
        }
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        forget();
    }

    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        forget();
    }

    private static void forget() {
        MDC.remove(USER);
        MDC.remove(ORDER);
    }
}
