package dev.berth.temporal;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * JSON payloads. An error names the type and the position only: the parser's own exception quotes
 * values.
 */
final class RedactingJsonConverter extends JacksonJsonPayloadConverter {
    RedactingJsonConverter(ObjectMapper mapper) {
        super(mapper);
    }

    @Override
    public <T> @Nullable T fromData(Payload content, Class<T> valueClass, Type valueType) {
        try {
            return super.fromData(content, valueClass, valueType);
        } catch (DataConverterException unredacted) {
            JsonLocation position =
                    unredacted.getCause() instanceof JsonProcessingException parsing ? parsing.getLocation() : null;
            throw new DataConverterException("not a " + valueClass.getSimpleName()
                    + (position == null
                            ? ""
                            : ", line " + position.getLineNr() + ", column " + position.getColumnNr()));
        }
    }
}
