package dev.berth.rest;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** JSON rules that have no {@code spring.jackson} property. */
@Configuration(proxyBeanMethods = false)
class JsonRules implements WebMvcConfigurer {

    /** Refuses a boolean where text is expected, such as a reason of {@code false}. */
    @Bean
    JsonMapperBuilderCustomizer textIsText() {
        return mapper -> mapper.withCoercionConfig(
                LogicalType.Textual,
                text -> text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.TryConvert));
    }

    /**
     * Removes YAML, which Spring adds because springdoc's library can read it. The YAML reader
     * ignores these rules: it would accept unknown fields.
     */
    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
        converters.configureMessageConvertersList(list ->
                list.removeIf(converter -> converter.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML)));
    }
}
