package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Workspace;
import io.countersign.check.WorkspaceFiles.Found;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.util.Collection;
import java.util.Optional;

/**
 * The commands that a workspace suggests by its build files, the first of {@code package.json},
 * {@code pom.xml}, {@code build.gradle}, {@code pyproject.toml}, {@code Cargo.toml} and {@code
 * go.mod} that stands in its working directory and suggests any.
 */
public final class WorkspaceDefaults {
    private static final int MAX_BYTES = 1 << 20;

    private final Workspace workspace;
    private final Collection<String> allowlist;

    private WorkspaceDefaults(Workspace workspace, Collection<String> allowlist) {
        this.workspace = workspace;
        this.allowlist = allowlist;
    }

    /**
     * The suggestions.
     *
     * @param allowlist decides whether a wrapper that is there ({@code ./mvnw}) is preferred
     */
    public static DefaultCommands commands(Workspace workspace, Collection<String> allowlist) {
        return new WorkspaceDefaults(workspace, allowlist).find();
    }

    private DefaultCommands find() {
        DefaultCommands scripts = PackageScripts.in(workspace).commands();
        if (!scripts.equals(DefaultCommands.NONE)) return scripts;
        if (has("pom.xml")) {
            String mvn = wrapperOr("./mvnw", "mvn");
            return new DefaultCommands(mvn + " -B test", mvn + " -B test-compile", null);
        }
        if (has("build.gradle") || has("build.gradle.kts")) {
            String gradle = wrapperOr("./gradlew", "gradle");
            return new DefaultCommands(gradle + " test", gradle + " testClasses", null);
        }
        Optional<String> pyproject = text("pyproject.toml");
        if (pyproject.isPresent()) {
            boolean ruff = pyproject.get().contains("[tool.ruff");
            return new DefaultCommands("pytest", null, ruff ? "ruff check ." : null);
        }
        if (has("Cargo.toml")) {
            return new DefaultCommands("cargo test", "cargo build", "cargo clippy -- -D warnings");
        }
        if (has("go.mod")) {
            return new DefaultCommands("go test -v ./...", "go build ./...", "go vet ./...");
        }
        return DefaultCommands.NONE;
    }

    private String wrapperOr(String wrapper, String program) {
        return allowlist.contains(wrapper)
                        && find(wrapper) instanceof Found.File file
                        && Files.isExecutable(file.real())
                ? wrapper
                : program;
    }

    private boolean has(String name) {
        return find(name) instanceof Found.File;
    }

    private Optional<String> text(String name) {
        return find(name) instanceof Found.File file
                ? WorkspaceFiles.text(file, MAX_BYTES)
                : Optional.empty();
    }

    private Found find(String name) {
        return WorkspaceFiles.find(workspace, new ChangeSet.Unknown(), name);
    }

    /** The command of a kind: the project's, else the workspace's, else npm's. */
    static String orElse(@Nullable String project, @Nullable String workspace, String npm) {
        if (project != null && !project.isBlank()) return project;
        return workspace == null ? npm : workspace;
    }
}
