package dev.berth.rest.openapi;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Marks each field of a record as required or nullable, by its {@code @Nullable}: swagger-core
 * ignores type annotations.
 */
@Component
class RecordSchemas implements ModelConverter {
    private static final String REFERENCE = "#/components/schemas/";

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> others) {
        if (!others.hasNext()) {
            return null;
        }
        Schema<?> schema = others.next().resolve(type, context, others);
        JavaType java = Json.mapper().constructType(type.getType());
        if (schema != null && java != null && java.getRawClass().isRecord()) {
            String reference = schema.get$ref();
            Schema<?> model = reference == null
                    ? schema
                    : context.getDefinedModels().get(reference.substring(REFERENCE.length()));
            if (model != null && model.getProperties() != null) {
                describe(java.getRawClass(), model);
            }
        }
        return schema;
    }

    private static void describe(Class<?> type, Schema<?> model) {
        for (RecordComponent component : type.getRecordComponents()) {
            Schema<?> field = model.getProperties().get(component.getName());
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                describe(component.getType(), model);
            } else if (field != null) {
                describe(component, field, model);
            }
        }
    }

    private static void describe(RecordComponent component, Schema<?> field, Schema<?> model) {
        String name = component.getName();
        boolean isRequired = model.getRequired() != null && model.getRequired().contains(name);
        if (field.getPattern() == null && Set.of("string").equals(field.getTypes())) {
            field.setPattern(SchemaPatterns.BY_NAME.get(name));
        }
        if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            model.addRequiredItem(name);
        } else if (!isRequired) {
            model.addProperty(name, nullable(field));
        }
    }

    private static Schema<?> nullable(Schema<?> field) {
        if (field.get$ref() != null) {
            return new Schema<>().anyOf(List.of(field, new Schema<>().types(Set.of("null"))));
        }
        if (field.getTypes() != null) {
            field.addType("null");
        }
        if (field.getEnum() != null && !field.getEnum().contains(null)) {
            field.addEnumItemObject(null);
        }
        return field;
    }
}
