package io.countersign.kernel.web;

import io.countersign.kernel.SqlTime;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * How JSON is read: nothing is guessed. A misspelled member, a second value for one name, text in
 * place of a number or the reverse is a fault of the request. A component of a request record is
 * needed, primitives too, unless it is {@code @Nullable}. The service's enums are written and read
 * as their names in lower case, times as ISO-8601 within what {@link SqlTime} takes.
 */
@Configuration(proxyBeanMethods = false)
class JsonSettings {
    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return JsonSettings::apply;
    }

    @Bean
    JsonDoor jsonDoor(JsonMapper mapper, HttpLimits limits) {
        return new JsonDoor(mapper, limits.maxJson().toBytes());
    }

    static void apply(JsonMapper.Builder builder) {
        builder.addModule(new SimpleModule().addDeserializer(Instant.class, new InstantReader()))
                .annotationIntrospector(
                        AnnotationIntrospector.pair(
                                builder.annotationIntrospector(), new RecordContract()))
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                // Answers keep the order in which their records name the members.
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .withCoercionConfig(
                        LogicalType.Textual,
                        text ->
                                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                        .setCoercion(
                                                CoercionInputShape.Boolean, CoercionAction.Fail));
    }

    private static final class InstantReader extends StdScalarDeserializer<Instant> {
        InstantReader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return (Instant) context.handleUnexpectedToken(Instant.class, parser);
            }
            try {
                return SqlTime.parse(parser.getString());
            } catch (DateTimeException e) {
                return (Instant)
                        context.handleWeirdStringValue(
                                Instant.class, parser.getString(), "%s", e.getMessage());
            }
        }
    }
}
