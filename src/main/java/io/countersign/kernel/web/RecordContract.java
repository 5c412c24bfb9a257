package io.countersign.kernel.web;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Locale;

/**
 * Reads the null contract that the compiler checks: a component of this service's records that is
 * not {@code @Nullable} is a member that a request must have, and not as null; the elements of a
 * list and the values of a map likewise. Enums of this service stand in JSON as their names in
 * lower case.
 */
final class RecordContract extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1L;
    private static final String OURS = "io.countersign.";

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
        AnnotatedType type = component(member);
        return type == null || isNullable(type) ? null : Boolean.TRUE;
    }

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        AnnotatedType type = component(annotated);
        if (type == null) {
            return JsonSetter.Value.empty();
        }
        return JsonSetter.Value.construct(
                isNullable(type) ? Nulls.DEFAULT : Nulls.FAIL,
                hasNullableContent(type) ? Nulls.DEFAULT : Nulls.FAIL);
    }

    @Override
    public String[] findEnumValues(
            MapperConfig<?> config, AnnotatedClass type, Enum<?>[] values, String[] names) {
        if (type.getRawType().getName().startsWith(OURS)) {
            for (int i = 0; i < values.length; i++) {
                if (names[i] == null) {
                    names[i] = values[i].name().toLowerCase(Locale.ROOT);
                }
            }
        }
        return names;
    }

    /** The declared type of the record component behind a constructor parameter. */
    private static @Nullable AnnotatedType component(Annotated annotated) {
        if (!(annotated instanceof AnnotatedParameter parameter)
                || !(parameter.getOwner().getAnnotated() instanceof Constructor<?> constructor)) {
            return null;
        }
        Class<?> owner = constructor.getDeclaringClass();
        if (!owner.isRecord() || !owner.getName().startsWith(OURS)) {
            return null;
        }
        RecordComponent[] components = owner.getRecordComponents();
        return constructor.getParameterCount() == components.length
                ? components[parameter.getIndex()].getAnnotatedType()
                : null;
    }

    private static boolean hasNullableContent(AnnotatedType type) {
        if (!(type instanceof AnnotatedParameterizedType parameterized)) {
            return true;
        }
        AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
        return isNullable(arguments[arguments.length - 1]);
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }
}
