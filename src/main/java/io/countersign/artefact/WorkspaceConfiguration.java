package io.countersign.artefact;

import io.countersign.kernel.Ids;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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

    private static OptionalInt uid(ObjectProvider<WorkspaceOwner> owner) {
        WorkspaceOwner other = owner.getIfAvailable();
        return other == null ? OptionalInt.empty() : other.uid();
    }
}
