package io.countersign.artefact;

import io.countersign.kernel.Ids;

import jakarta.servlet.MultipartConfigElement;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.servlet.autoconfigure.MultipartProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.time.InstantSource;
import java.util.OptionalInt;

@Configuration(proxyBeanMethods = false)
class WorkspaceConfiguration {
    @Bean
    RunsDirectory runsDirectory(
            WorkspaceProperties properties,
            ObjectProvider<WorkspaceOwner> owner,
            Ids ids,
            InstantSource clock) {
        boolean shared = uid(owner).isPresent();
        RunsDirectory runs = new RunsDirectory(properties.runsDirectory(), shared, ids, clock);
        runs.sweep();
        return runs;
    }

    @Bean
    Materialiser materialiser(
            BlobStore blobs,
            RunsDirectory runs,
            WorkspaceProperties properties,
            ObjectProvider<WorkspaceOwner> owner) {
        return new Materialiser(
                blobs,
                runs,
                new MountRoots(properties.mountRoots()),
                properties.limits(),
                FileOwner.of(uid(owner)));
    }

    @Bean
    Uploads uploads(BlobStore blobs, RunsDirectory runs, WorkspaceProperties properties, Ids ids) {
        return new Uploads(
                blobs, runs, properties.limits(), properties.maxArchive().toBytes(), ids);
    }

    /**
     * Large parts of a request pass through files. They lie in this process's directory, where the
     * next start clears away what a killed process left, unless {@code
     * spring.servlet.multipart.location} names another place.
     */
    @Bean
    MultipartConfigElement multipartConfigElement(
            MultipartProperties properties, RunsDirectory runs) throws IOException {
        if (properties.getLocation() == null) properties.setLocation(runs.parts().toString());
        return properties.createMultipartConfig();
    }

    private static OptionalInt uid(ObjectProvider<WorkspaceOwner> owner) {
        WorkspaceOwner other = owner.getIfAvailable();
        return other == null ? OptionalInt.empty() : other.uid();
    }
}
