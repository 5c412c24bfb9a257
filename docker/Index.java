import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * Writes down, while the image is built, what Spring would find each time that it reads every class
 * of the service at start-up. Usage: {@code Index <package> <file>}.
 */
final class Index {
    public static void main(String[] args) throws IOException {
        var lines = new TreeSet<String>();
        for (Class<? extends Annotation> stereotype :
                List.of(Component.class, ConfigurationProperties.class)) {
            var scan = new ClassPathScanningCandidateComponentProvider(false);
            scan.addIncludeFilter(new AnnotationTypeFilter(stereotype));
            for (BeanDefinition found : scan.findCandidateComponents(args[0])) {
                lines.add(found.getBeanClassName() + "=" + stereotype.getName());
            }
        }
        if (lines.isEmpty()) throw new IllegalStateException("no component in " + args[0]);
        Path file = Path.of(args[1]);
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
        System.out.println(lines.size() + " components and settings in " + file);
    }
}
