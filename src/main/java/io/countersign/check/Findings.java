package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.kernel.Finding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Warnings that the change-set itself gives: who writes the tests' harness can make them green. */
public final class Findings {
    public static final String TESTS_SKIPPED = "tests-skipped";
    public static final String TESTS_UNKNOWN = "tests-unknown";
    public static final String HARNESS_CHANGED = "harness-changed";
    public static final String RUNNER_IN_CHANGE_SET = "runner-in-change-set";

    private static final int MAX_OF_A_CODE = 20;

    private static final Set<String> HARNESS =
            Set.of(
                    "package.json",
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".pnpmfile.cjs",
                    "bunfig.toml",
                    "turbo.json",
                    "nx.json",
                    "deno.json",
                    "conftest.py",
                    "pytest.ini",
                    "tox.ini",
                    "setup.cfg",
                    "setup.py",
                    "pyproject.toml",
                    "noxfile.py",
                    ".coveragerc",
                    "ruff.toml",
                    ".ruff.toml",
                    "mypy.ini",
                    ".flake8",
                    ".pylintrc",
                    "pom.xml",
                    "build.gradle",
                    "build.gradle.kts",
                    "settings.gradle",
                    "settings.gradle.kts",
                    "gradle.properties",
                    "junit-platform.properties",
                    "testng.xml",
                    "makefile",
                    "gnumakefile",
                    "cmakelists.txt",
                    "cargo.toml",
                    "build.rs",
                    "rust-toolchain",
                    "rust-toolchain.toml",
                    "go.mod",
                    "go.work",
                    "global.json",
                    "nuget.config",
                    "directory.build.props",
                    "directory.build.targets",
                    "xunit.runner.json",
                    "biome.json",
                    "jasmine.json");

    // All are DOTALL: a line separator in a name would hide what stands before it, and make a
    // pattern try every slash.
    private static final Pattern HARNESS_FORM =
            Pattern.compile(
                    "(?:jest|vitest|vite|karma|playwright|cypress|babel|ava|mocha|eslint|prettier)"
                            + "\\.(?:config|setup|workspace|conf)\\..+"
                            + "|\\.(?:mocharc|eslintrc|prettierrc|babelrc|golangci)(?:\\..+)?"
                            + "|tsconfig.*\\.json|.+\\.(?:mk|csproj|fsproj|vbproj|sln|slnx)"
                            + "|.+\\.runsettings",
                    Pattern.DOTALL);

    private static final Pattern HARNESS_PLACE =
            Pattern.compile(
                    "(?:.*/)?(?:\\.mvn/(?!wrapper/).*|\\.cargo/config(?:\\.toml)?)",
                    Pattern.DOTALL);

    private static final Set<String> LOCKS =
            Set.of(
                    "package-lock.json",
                    "npm-shrinkwrap.json",
                    "yarn.lock",
                    "pnpm-lock.yaml",
                    "pnpm-workspace.yaml",
                    "bun.lock",
                    "bun.lockb",
                    "poetry.lock",
                    "uv.lock",
                    "pdm.lock",
                    "pipfile",
                    "pipfile.lock",
                    "cargo.lock",
                    "go.sum",
                    "gradle.lockfile",
                    "libs.versions.toml",
                    "packages.lock.json");

    private static final Pattern RUNNER_PLACE =
            Pattern.compile(
                    "(?:.*/)?(?:node_modules|site-packages|\\.venv|venv|\\.yarn/releases"
                            + "|\\.mvn/wrapper|gradle/wrapper|_?pytest|unittest)/.*",
                    Pattern.DOTALL);

    private static final Set<String> RUNNERS =
            Set.of(
                    "mvnw",
                    "mvnw.cmd",
                    "gradlew",
                    "gradlew.bat",
                    "pytest.py",
                    "unittest.py",
                    "sitecustomize.py",
                    "usercustomize.py",
                    ".pnp.cjs",
                    ".pnp.loader.mjs");

    private static final Pattern TEST_FILE =
            Pattern.compile(
                    "(?:.*/)?(?:tests?|spec|__tests__)/.*"
                            + "|.*[._-](?:test|spec)\\.\\w+|(?:.*/)?test_[^/]*\\.py"
                            + "|.*_test\\.\\w+|.*Tests?\\.(?:java|kt|cs|scala|groovy)",
                    Pattern.DOTALL);

    private Findings() {}

    /**
     * What a change-set says about the tests that ran on it: {@code harness-changed} for a file
     * that steers them, {@code runner-in-change-set} for one that stands in for their runner. At
     * most twenty of each are named.
     */
    public static List<Finding> of(ChangeSet changeSet) {
        List<Finding> findings = new ArrayList<>();
        add(
                findings,
                HARNESS_CHANGED,
                matching(changeSet, path -> isHarness(path) && !isRunner(path)),
                " steers how tests are run");
        add(
                findings,
                RUNNER_IN_CHANGE_SET,
                matching(changeSet, Findings::isRunner),
                " stands in for a test runner or a part of it");
        return findings;
    }

    private static void add(
            List<Finding> findings, String code, List<String> paths, String predicate) {
        for (String path : paths.subList(0, Math.min(MAX_OF_A_CODE, paths.size()))) {
            findings.add(new Finding(code, path, path + predicate));
        }
        int more = paths.size() - MAX_OF_A_CODE;
        if (more > 0) findings.add(new Finding(code, null, "and " + more + " more files"));
    }

    private static List<String> matching(ChangeSet changeSet, Predicate<String> wanted) {
        return Globs.touched(changeSet.named()).filter(wanted).distinct().toList();
    }

    private static boolean isHarness(String path) {
        String name = name(path);
        return HARNESS.contains(name)
                || HARNESS_FORM.matcher(name).matches()
                || HARNESS_PLACE.matcher(path).matches();
    }

    private static boolean isRunner(String path) {
        return RUNNERS.contains(name(path))
                || RUNNER_PLACE.matcher(path).matches()
                || path.endsWith(".pth");
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }

    /** The changed files that are tests by their names. */
    static List<String> changedTests(ChangeSet changeSet) {
        return matching(changeSet, path -> TEST_FILE.matcher(path).matches() && !isRunner(path));
    }

    /** The changed files that hold scripts for a package manager. */
    static List<String> changedManifests(ChangeSet changeSet) {
        return matching(changeSet, path -> name(path).equals("package.json"));
    }

    /**
     * Whether the change-set may be why a setup step failed: it has a lock file, a build file, or a
     * file that the command itself names. Of an unknown one nobody can say that it does not.
     */
    static boolean steersSetup(ChangeSet changeSet, List<String> argv) {
        if (changeSet instanceof ChangeSet.Unknown) return true;
        Set<String> words = Set.copyOf(argv);
        return !matching(
                        changeSet,
                        path ->
                                isHarness(path)
                                        || isRunner(path)
                                        || isLock(name(path))
                                        || words.contains(path)
                                        || words.contains("./" + path))
                .isEmpty();
    }

    /** Whether a path is a package manager's lock file by its name. */
    static boolean isLockFile(String path) {
        return isLock(name(path));
    }

    private static boolean isLock(String name) {
        return LOCKS.contains(name) || name.matches("requirements.*\\.txt");
    }
}
