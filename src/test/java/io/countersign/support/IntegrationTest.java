package io.countersign.support;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.ContextConfiguration;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Boots the whole service on a random loopback port with a Postgres database of its own and the
 * development keys. Classes with the same {@link #properties} share one service; leave them empty
 * where you can, and use a project of your own so that tests do not see each other's data.
 *
 * <p>{@link ServiceClient} is a bean: {@code @Autowired ServiceClient client}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ContextConfiguration(initializers = ServiceInitializer.class)
@Import(ServiceClientConfiguration.class)
public @interface IntegrationTest {
    /** Settings of this service, {@code key=value}; each distinct set boots one more service. */
    @AliasFor(annotation = SpringBootTest.class, attribute = "properties")
    String[] properties() default {};
}
