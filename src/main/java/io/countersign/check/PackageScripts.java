package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Workspace;
import io.countersign.check.WorkspaceFiles.Found;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The scripts of the {@code package.json} in a workspace's working directory. */
final class PackageScripts {
    private static final int MAX_BYTES = 1 << 20;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** What {@code npm init} writes where there are no tests. */
    private static final String PLACEHOLDER = "no test specified";

    private final boolean present;
    private final Map<String, String> scripts;

    private PackageScripts(boolean present, Map<String, String> scripts) {
        this.present = present;
        this.scripts = scripts;
    }

    static PackageScripts in(@Nullable Workspace workspace) {
        Found found = WorkspaceFiles.find(workspace, new ChangeSet.Unknown(), "package.json");
        if (!(found instanceof Found.File file)) return new PackageScripts(false, Map.of());
        return WorkspaceFiles.text(file, MAX_BYTES)
                .map(PackageScripts::parse)
                .orElseGet(() -> new PackageScripts(true, Map.of()));
    }

    private static PackageScripts parse(String json) {
        Map<String, String> scripts = new HashMap<>();
        try {
            JsonNode members = MAPPER.readTree(json).path("scripts");
            for (Map.Entry<String, JsonNode> script : members.properties()) {
                if (script.getValue().isString()) {
                    scripts.put(script.getKey(), script.getValue().asString());
                }
            }
        } catch (JacksonException e) {
            return new PackageScripts(true, Map.of());
        }
        return new PackageScripts(true, scripts);
    }

    /** Whether there is a {@code package.json} at all. */
    boolean present() {
        return present;
    }

    /** The text of a script; null when there is none of that name. */
    @Nullable String script(String name) {
        return scripts.get(name);
    }

    DefaultCommands commands() {
        String test = scripts.getOrDefault("test", PLACEHOLDER);
        return new DefaultCommands(
                test.contains(PLACEHOLDER) ? null : "npm test",
                scripts.containsKey("build") ? "npm run build" : null,
                scripts.containsKey("lint") ? "npm run lint" : null);
    }

    /**
     * The name of the script that a command line runs through a package manager; null when it runs
     * none.
     */
    static @Nullable String scriptOf(List<String> argv) {
        String manager = argv.getFirst();
        if (!List.of("npm", "pnpm", "yarn", "bun").contains(manager)) return null;
        List<String> words =
                argv.stream().skip(1).filter(word -> !word.startsWith("-")).limit(2).toList();
        if (words.isEmpty()) return null;
        return switch (words.getFirst()) {
            case "run", "run-script", "rum", "urn" -> words.size() > 1 ? words.get(1) : null;
            case "test", "t", "tst" -> manager.equals("bun") ? null : "test";
            default -> manager.equals("yarn") || manager.equals("pnpm") ? words.getFirst() : null;
        };
    }
}
