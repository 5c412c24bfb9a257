package io.countersign.kernel.web;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.jackson.JacksonMixinModuleEntries;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Leaves out of a start what most processes never need. */
@Configuration(proxyBeanMethods = false)
class LeanStart {
    private static final String SPRINGDOC = "org.springdoc.";
    private static final String DOCUMENT = "openApiResource";
    private static final String CONVERTERS = "modelConverterRegistrar";
    private static final String MIXINS = "jacksonMixinModuleEntries";

    @Bean
    static BeanDefinitionRegistryPostProcessor leanBeans() {
        return beans -> {
            makeOpenApiOnDemand(beans);
            lookForNoMixins(beans);
        };
    }

    /**
     * Few processes are ever asked for the OpenAPI document: what makes it (with a JSON library of
     * its own) waits for the first request.
     */
    private static void makeOpenApiOnDemand(BeanDefinitionRegistry beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            if (isSpringdocs(definition)) definition.setLazyInit(true);
        }
        if (beans.containsBeanDefinition(DOCUMENT)) {
            // It works by its mere existence, so nobody asks for it.
            beans.getBeanDefinition(DOCUMENT).setDependsOn(CONVERTERS);
        }
    }

    private static boolean isSpringdocs(BeanDefinition definition) {
        String origin =
                definition.getFactoryBeanName() == null
                        ? definition.getBeanClassName()
                        : definition.getFactoryBeanName();
        return origin != null && origin.startsWith(SPRINGDOC);
    }

    /** The service has no {@code @JacksonMixin}; to find that out, Boot reads all its classes. */
    private static void lookForNoMixins(BeanDefinitionRegistry beans) {
        if (!beans.containsBeanDefinition(MIXINS)) return;
        beans.removeBeanDefinition(MIXINS);
        var none = new RootBeanDefinition(JacksonMixinModuleEntries.class);
        none.setInstanceSupplier(() -> JacksonMixinModuleEntries.create(mixins -> {}));
        beans.registerBeanDefinition(MIXINS, none);
    }
}
