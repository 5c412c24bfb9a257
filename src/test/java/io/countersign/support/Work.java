package io.countersign.support;

import java.util.List;
import java.util.Map;

/** The request body of work that many tests submit: one file, which the producer added. */
public final class Work {
    private Work() {}

    /** By the producer {@code ses_1}. */
    public static Map<String, Object> added(String project, String line, String text) {
        return added(project, Map.of("id", "ses_1"), line, text);
    }

    /**
     * @param line the one line of the DoD's block
     * @param text of the file, which is {@code a.txt}
     */
    public static Map<String, Object> added(
            String project, Map<String, Object> producer, String line, String text) {
        return Map.of(
                "project",
                project,
                "producer",
                producer,
                "acceptance",
                "[acceptance]\n" + line + "\n[/acceptance]",
                "artefact",
                Map.of(
                        "finalReturnText",
                        "done",
                        "changedFiles",
                        List.of(Map.of("path", "a.txt", "status", "added"))),
                "workspace",
                Map.of("files", Map.of("a.txt", text)));
    }
}
