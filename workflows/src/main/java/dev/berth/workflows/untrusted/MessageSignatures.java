package dev.berth.workflows.untrusted;

import io.temporal.common.metadata.POJOWorkflowInterfaceMetadata;
import io.temporal.common.metadata.POJOWorkflowMethodMetadata;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the handlers of signals and updates take, by workflow type and name. */
final class MessageSignatures {
    private final Map<String, Map<String, Method>> handlers = new HashMap<>();

    MessageSignatures(Collection<Class<?>> workflows) {
        for (Class<?> workflow : workflows) {
            POJOWorkflowInterfaceMetadata metadata = POJOWorkflowInterfaceMetadata.newInstance(workflow);
            Map<String, Method> byName = new HashMap<>();
            for (POJOWorkflowMethodMetadata method : metadata.getMethodsMetadata()) {
                switch (method.getType()) {
                    case SIGNAL, UPDATE -> byName.put(method.getName(), method.getWorkflowMethod());
                    case WORKFLOW, QUERY, UPDATE_VALIDATOR, NONE -> {
                        // Who starts a workflow is Berth itself; a query changes nothing.
                    }
                }
            }
            handlers.put(metadata.getWorkflowType().orElseThrow(), byName);
        }
    }

    /**
     * What is wrong with the arguments of a signal or an update; empty when the handler may have
     * them. Temporal itself handles a message that has no handler.
     */
    Optional<String> fault(String workflowType, String message, @Nullable Object[] arguments) {
        Method handler = handlers.getOrDefault(workflowType, Map.of()).get(message);
        if (handler == null) {
            return Optional.empty();
        }
        List<AnnotatedType> types = List.of(handler.getAnnotatedParameterTypes());
        for (int at = 0; at < types.size(); at++) {
            if (types.get(at).getType() == Object.class) {
                // Its handler takes anything.
                continue;
            }
            Object argument = at < arguments.length ? arguments[at] : null;
            Optional<String> fault = ValueCheck.fault("argument " + (at + 1), types.get(at), argument);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }
}
