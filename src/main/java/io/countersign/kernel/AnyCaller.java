package io.countersign.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States that an endpoint is for every authenticated caller, whatever its roles. The alternative is
 * {@code @RolesAllowed}; an endpoint that states neither is refused.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface AnyCaller {
    /**
     * Whether a request without a credential is let in too; the parameter of type {@link Caller} is
     * then null and has to be {@code @Nullable}. A credential that is given must still be valid.
     */
    boolean orNobody() default false;
}
