package io.countersign.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lets those git commands through that only read, without options that write or run something. */
final class ReadOnlyGit {
    private static final Set<String> SUBCOMMANDS =
            Set.of(
                    "status",
                    "log",
                    "diff",
                    "show",
                    "rev-parse",
                    "ls-files",
                    "ls-tree",
                    "cat-file",
                    "blame",
                    "describe",
                    "grep",
                    "merge-base",
                    "rev-list",
                    "show-ref",
                    "for-each-ref",
                    "shortlog");

    private static final Set<String> GLOBAL_FLAGS =
            Set.of(
                    "--no-pager",
                    "-P",
                    "--no-optional-locks",
                    "--no-replace-objects",
                    "--bare",
                    "--literal-pathspecs",
                    "--glob-pathspecs",
                    "--noglob-pathspecs",
                    "--icase-pathspecs");

    private static final Set<String> GLOBAL_WITH_VALUE =
            Set.of("-C", "--git-dir", "--work-tree", "--namespace");

    /** Git takes any unambiguous beginning of a long option for the option. */
    private static final List<String> FORBIDDEN =
            List.of(
                    "--exec-path",
                    "--config-env",
                    "--output",
                    "--ext-diff",
                    "--textconv",
                    "--open-files-in-pager");

    /** Options of their own that are beginnings of a forbidden one. */
    private static final Set<String> HARMLESS = Set.of("--text");

    /** Short options whose value follows at once; what comes after them is no option letter. */
    private static final String TAKE_VALUE = "efSGL";

    private ReadOnlyGit() {}

    /** Why {@code git} with these arguments is refused; empty when it only reads. */
    static Optional<String> objection(List<String> arguments) {
        int at = 0;
        while (at < arguments.size() && arguments.get(at).startsWith("-")) {
            String option = arguments.get(at);
            String name = nameOf(option);
            if (GLOBAL_WITH_VALUE.contains(name)) {
                at += option.equals(name) ? 2 : 1;
            } else if (GLOBAL_FLAGS.contains(option)) {
                at++;
            } else {
                return Optional.of(
                        "git: the option `"
                                + Shown.word(name)
                                + "` is not allowed: only reading is");
            }
        }
        if (at >= arguments.size()) return Optional.of("git: no subcommand is given");
        String subcommand = arguments.get(at);
        if (!SUBCOMMANDS.contains(subcommand)) {
            return Optional.of(
                    "git: `" + Shown.word(subcommand) + "` is not a read-only subcommand");
        }
        return arguments.subList(at + 1, arguments.size()).stream()
                .takeWhile(argument -> !argument.equals("--"))
                .filter(ReadOnlyGit::isForbidden)
                .findFirst()
                .map(
                        option ->
                                "git: the option `"
                                        + Shown.word(nameOf(option))
                                        + "` writes a file or runs a program: only reading is allowed");
    }

    private static boolean isForbidden(String argument) {
        if (argument.startsWith("--")) {
            String name = nameOf(argument);
            return name.length() > 2
                    && !HARMLESS.contains(name)
                    && FORBIDDEN.stream().anyMatch(option -> option.startsWith(name));
        }
        return argument.startsWith("-") && hasShortO(argument);
    }

    /** {@code -O} alone, with its value, or within a cluster such as {@code -lO}. */
    private static boolean hasShortO(String cluster) {
        for (int i = 1; i < cluster.length(); i++) {
            char letter = cluster.charAt(i);
            if (letter == 'O') return true;
            if (TAKE_VALUE.indexOf(letter) >= 0) return false;
        }
        return false;
    }

    private static String nameOf(String option) {
        int equals = option.startsWith("--") ? option.indexOf('=') : -1;
        return equals < 0 ? option : option.substring(0, equals);
    }
}
