package io.countersign.check;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides whether a command of a DoD may run, and as which words. Pure, and no shell: the program
 * is a bare name of the allowlist, or a wrapper of the workspace that is listed in that very
 * spelling.
 */
public final class CommandPolicy {
    /** What may run where neither the server nor the project says otherwise. */
    public static final List<String> DEFAULT_ALLOWLIST =
            List.of(
                    "npm",
                    "npx",
                    "pnpm",
                    "yarn",
                    "bun",
                    "node",
                    "tsc",
                    "tsx",
                    "vitest",
                    "jest",
                    "eslint",
                    "prettier",
                    "mvn",
                    "./mvnw",
                    "gradle",
                    "./gradlew",
                    "java",
                    "javac",
                    "go",
                    "cargo",
                    "python",
                    "python3",
                    "pytest",
                    "tox",
                    "ruff",
                    "mypy",
                    "uv",
                    "dotnet",
                    "make",
                    "git");

    /** Linux takes 128 KiB in one argument; half of it leaves room for everything else. */
    static final int MAX_BYTES = 64 * 1024;

    private static final Pattern ASSIGNMENT =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]*\\+?=.*", Pattern.DOTALL);

    private static final Set<String> SHELLS =
            Set.of(
                    "sh",
                    "bash",
                    "dash",
                    "zsh",
                    "ksh",
                    "fish",
                    "cmd",
                    "cmd.exe",
                    "powershell",
                    "pwsh");

    private static final Map<String, String> BUILTINS =
            Map.of(
                    "cd", "a directory belongs into `cwd`",
                    "pushd", "a directory belongs into `cwd`",
                    "exec", "leave it out",
                    "eval", "leave it out",
                    "command", "leave it out",
                    "source", "it is a shell's",
                    ".", "it is a shell's",
                    "export", "it is a shell's",
                    "set", "it is a shell's",
                    "!", "a check cannot negate a status");

    private CommandPolicy() {}

    /** Reads {@code command} against {@code allowlist}; never throws. */
    public static CommandReading read(String command, Collection<String> allowlist) {
        if (command.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return refused("the command is longer than " + MAX_BYTES + " bytes");
        }
        if (command.chars().anyMatch(c -> c == 0))
            return refused("the command contains a NUL character");
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(command)) {
            return refused("the command contains half of a surrogate pair");
        }
        return switch (ShellWords.split(command)) {
            case ShellWords.Splitting.Refused(String reason) -> refused(reason);
            case ShellWords.Splitting.Words(List<String> words) -> judge(words, allowlist);
        };
    }

    private static CommandReading judge(List<String> argv, Collection<String> allowlist) {
        if (argv.isEmpty()) return refused("the command is empty");
        String program = argv.getFirst();
        if (program.isEmpty()) return refused("the program is an empty word");
        if (!isListed(program, allowlist)) return refused(notListed(program, allowlist));
        if (program.equals("git")) {
            Optional<String> objection = ReadOnlyGit.objection(argv.subList(1, argv.size()));
            if (objection.isPresent()) return refused(objection.get());
        }
        return new CommandReading.Allowed(argv);
    }

    /** A listed path is honoured only as a wrapper at the workspace's root: {@code ./name}. */
    private static boolean isListed(String program, Collection<String> allowlist) {
        if (!allowlist.contains(program)) return false;
        if (program.startsWith("./")) return isBareName(program.substring(2));
        return isBareName(program);
    }

    private static boolean isBareName(String name) {
        return name.indexOf('/') < 0
                && name.indexOf('\\') < 0
                && !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..");
    }

    private static String notListed(String program, Collection<String> allowlist) {
        String shown = "`" + Shown.word(program) + "`";
        if (ASSIGNMENT.matcher(program).matches()) {
            return shown
                    + " is the program here, since no shell runs: a variable in front of a command"
                    + " cannot be set this way";
        }
        if (BUILTINS.containsKey(program)) {
            return shown + " is a shell's own word and no program: " + BUILTINS.get(program);
        }
        if (program.indexOf('/') >= 0 || program.indexOf('\\') >= 0) {
            return path(program, shown, allowlist);
        }
        String reason = "the program " + shown + " is not on the allowlist";
        if (SHELLS.contains(program)) return reason + ": checks run without a shell";
        if (allowlist.contains("./" + program)) {
            return reason + " in that spelling: write `./" + program + "`";
        }
        if (program.chars().anyMatch(c -> "\u2018\u2019\u201c\u201d".indexOf(c) >= 0)) {
            return reason + " (it has typographic quotes: use plain ones)";
        }
        String odd = Shown.oddCharacters(program);
        return odd.isEmpty() ? reason : reason + " (it contains " + odd + ")";
    }

    private static String path(String program, String shown, Collection<String> allowlist) {
        String reason =
                "the program "
                        + shown
                        + " is a path: only bare names run, and wrappers that the allowlist names"
                        + " in that spelling";
        String bin = "node_modules/.bin/";
        int tool = program.indexOf(bin);
        if (tool >= 0 && allowlist.contains("npx")) {
            return reason
                    + "; `npx "
                    + Shown.word(program.substring(tool + bin.length()))
                    + "` is the way";
        }
        return reason;
    }

    private static CommandReading refused(String reason) {
        return new CommandReading.Refused(reason);
    }
}
