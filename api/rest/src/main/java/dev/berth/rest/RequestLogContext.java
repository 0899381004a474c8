package dev.berth.rest;

import dev.berth.process.LogFields;
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

/** Adds {@code userId} and {@code orderId} of a request to each of its log lines. */
@Component
public class RequestLogContext implements AsyncHandlerInterceptor, WebMvcConfigurer {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    /** Call it once the body of a submission is read, which names the order. */
    public static void setOrder(ClientOrderId order) {
        MDC.put(LogFields.ORDER, order.value());
    }

    /** The user is the one in the address of an operator's request, else the caller. */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Principal caller = request.getUserPrincipal();
        put(LogFields.USER, caller == null ? null : caller.getName());
        if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables) {
            put(LogFields.USER, variables.get("userId"));
            put(LogFields.ORDER, variables.get("clientOrderId"));
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
        clear();
    }

    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        clear();
    }

    private static void clear() {
        MDC.remove(LogFields.USER);
        MDC.remove(LogFields.ORDER);
    }
}
