package dev.berth.rest.openapi;

import static java.util.stream.Collectors.joining;

import dev.berth.rest.Problem;
import dev.berth.rest.Scope;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Documents the status of every answer: those common to all calls of a kind, and those of one call
 * alone, from {@link OperationResponses}.
 */
@Component
class ApiDocument implements GlobalOpenApiCustomizer {
    private static final String PROBLEM = "Problem";
    private static final String ORDER_ID = "{clientOrderId}";

    private static final Set<Problem> EVERY_CALL = EnumSet.of(
            Problem.INVALID_REQUEST,
            Problem.UNAUTHENTICATED,
            Problem.FORBIDDEN,
            Problem.NOT_ACCEPTABLE,
            Problem.REQUEST_RATE,
            Problem.UNAVAILABLE,
            Problem.INTERNAL);
    private static final Set<Problem> WITH_BODY =
            EnumSet.of(Problem.MALFORMED_JSON, Problem.BODY_TOO_LARGE, Problem.UNSUPPORTED_MEDIA_TYPE);

    private final RequestMappingHandlerMapping calls;

    ApiDocument(@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping calls) {
        this.calls = calls;
    }

    /** An operation has one method for each format of its answer. */
    private record Outcomes(Set<HttpStatus> successes, Set<Problem> problems) {}

    @Override
    public void customise(OpenAPI api) {
        Map<String, Outcomes> all = new TreeMap<>();
        calls.getHandlerMethods()
                .forEach((mapping, method) -> mapping.getPatternValues()
                        .forEach(path -> mapping.getMethodsCondition().getMethods().stream()
                                .map(RequestMethod::name)
                                .forEach(verb -> collect(all, verb + " " + path, method))));
        all.forEach((key, outcomes) -> {
            String[] call = key.split(" ", 2);
            Operation operation = operation(api.getPaths().get(call[1]), call[0]);
            if (operation != null) {
                describe(call[0], call[1], operation, outcomes);
            }
        });
        api.getComponents().addSchemas(PROBLEM, problem());
    }

    private static void collect(Map<String, Outcomes> all, String call, HandlerMethod method) {
        Outcomes outcomes = all.computeIfAbsent(
                call, _ -> new Outcomes(EnumSet.noneOf(HttpStatus.class), EnumSet.noneOf(Problem.class)));
        OperationResponses own = method.getMethodAnnotation(OperationResponses.class);
        if (own != null) {
            outcomes.problems().addAll(List.of(own.problems()));
        }
        if (own != null && own.status().length > 0) {
            outcomes.successes().addAll(List.of(own.status()));
        } else {
            outcomes.successes().add(success(method));
        }
    }

    private static HttpStatus success(HandlerMethod method) {
        ResponseStatus own = method.getMethodAnnotation(ResponseStatus.class);
        ResponseStatus status = own != null
                ? own
                : AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), ResponseStatus.class);
        return status == null ? HttpStatus.OK : status.code();
    }

    private static @Nullable Operation operation(@Nullable PathItem path, String verb) {
        return path == null ? null : path.readOperationsMap().get(PathItem.HttpMethod.valueOf(verb));
    }

    private static void describe(String verb, String path, Operation operation, Outcomes outcomes) {
        String scope = Scope.of(verb, path).map(Scope::toString).orElse("none, any valid token");
        operation.setDescription(Stream.of(operation.getDescription(), "Scope: " + scope)
                .filter(Objects::nonNull)
                .collect(joining("\n\n")));
        Content content = content(operation.getResponses());
        ApiResponses responses = new ApiResponses();
        for (HttpStatus status : outcomes.successes()) {
            ApiResponse response = new ApiResponse().description(status.getReasonPhrase());
            responses.addApiResponse(
                    text(status), status == HttpStatus.NO_CONTENT ? response : response.content(content));
        }
        Set<Problem> problems = EnumSet.copyOf(EVERY_CALL);
        problems.addAll(outcomes.problems());
        if (operation.getRequestBody() != null) {
            problems.addAll(WITH_BODY);
        }
        if (path.contains(ORDER_ID)) {
            problems.add(Problem.ORDER_NOT_FOUND);
            problems.add(Problem.ORDER_ARCHIVED);
        }
        for (HttpStatus status :
                new TreeSet<>(problems.stream().map(Problem::status).toList())) {
            responses.addApiResponse(text(status), refusal(status, problems));
        }
        operation.setResponses(responses);
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(ApiDocument::describe);
        }
    }

    /** The formats of all answers that springdoc found. */
    private static Content content(ApiResponses found) {
        Content content = new Content();
        found.values().stream()
                .filter(response -> response.getContent() != null)
                .forEach(response -> content.putAll(response.getContent()));
        return content;
    }

    private static ApiResponse refusal(HttpStatus status, Set<Problem> problems) {
        String description = problems.stream()
                .filter(problem -> problem.status() == status)
                .map(problem -> problem.type() + ": " + problem.title() + ".")
                .collect(joining("\n\n"));
        MediaType type = new MediaType().schema(new Schema<>().$ref(PROBLEM));
        return new ApiResponse()
                .description(description)
                .content(new Content()
                        .addMediaType(org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE, type));
    }

    private static void describe(Parameter parameter) {
        String pattern = SchemaPatterns.BY_NAME.get(parameter.getName());
        if (pattern != null) {
            // springdoc shares one schema among all parameters.
            parameter.setSchema(typed("string").pattern(pattern));
        }
    }

    private static Schema<?> problem() {
        Schema<?> problem = typed("object").description("RFC 9457");
        problem.addProperty(
                "type", typed("string").format("uri").description("stable, such as " + Problem.INVALID_ORDER.type()));
        problem.addProperty("title", typed("string"));
        problem.addProperty("status", typed("integer"));
        problem.addProperty("detail", typed("string").description("what to do"));
        problem.addProperty("traceId", typed("string").pattern("[0-9a-f]{32}"));
        problem.addProperty("retryAfter", typed("integer"));
        problem.addProperty("instance", typed("string").format("uri-reference"));
        problem.setRequired(List.of("type", "title", "status", "detail"));
        return problem;
    }

    private static Schema<?> typed(String type) {
        return new Schema<>().types(Set.of(type));
    }

    private static String text(HttpStatus status) {
        return Integer.toString(status.value());
    }
}
