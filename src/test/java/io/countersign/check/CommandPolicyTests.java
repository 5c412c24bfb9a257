package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

class CommandPolicyTests {
    static Stream<Arguments> cases() throws Exception {
        try (InputStream in =
                CommandPolicyTests.class.getResourceAsStream("/cases/commands.json")) {
            JsonNode cases = JsonMapper.shared().readTree(Objects.requireNonNull(in));
            return cases
                    .valueStream()
                    .map(c -> Arguments.of(c.get("name").asString(), c))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void readsEveryCase(String name, JsonNode c) {
        CommandReading reading = read(c.get("command").asString());
        JsonNode expected = c.get("expect");
        if (expected.get("allowed").asBoolean()) {
            List<String> argv = new ArrayList<>();
            expected.get("argv").forEach(word -> argv.add(word.asString()));
            assertThat(reading).isEqualTo(new CommandReading.Allowed(argv));
        } else {
            assertThat(refusal(reading)).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
        }
    }

    @Test
    void namesTheOperatorAndWhatItWouldDo() {
        assertThat(refusal("npm test; exit 0"))
                .contains("`;` would replace the status of the test run");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "npm test && npm run lint ~ `&&`",
                "npm test || echo ok ~ `||`",
                "npm test | tail -5 ~ `|`",
                "npm test |& tee log ~ `|&`",
                "npm test & ~ `&`",
                "npm test > log ~ `>`",
                "npm test >> log ~ `>>`",
                "npm test >& log ~ `>&`",
                "npm test &> log ~ `&>`",
                "npm test 2>&1 ~ `2>&1`",
                "node < in ~ `<`",
                "node << END ~ `<<`",
                "node <(ls) ~ `<(`",
                "npm test $(id) ~ `$(`",
                "npm test `id` ~ backquote",
                "cd packages/a && node where.js ~ `&&`",
                "cd packages/a ~ `cwd`",
                "FOO=1 npm test ~ variable",
                "mvnw verify ~ write `./mvnw`",
                "node_modules/.bin/vitest run ~ `npx vitest`",
                "sh -c 'npm test' ~ without a shell",
                "\u201cnode\u201d -e 1 ~ typographic quotes",
                "n\u200bpm test ~ U+200B",
                "/usr/bin/node x.js ~ is a path",
                "npm test 'abc ~ single quote at character 10",
                "npm test \\ ~ lone backslash",
            })
    void explainsItsRefusal(String command, String part) {
        assertThat(refusal(command)).contains(part);
    }

    @Test
    void refusesNulCarriageReturnAndLineContinuationEvenInQuotes() {
        assertThat(refusal("npm test 'a\0b'")).contains("NUL");
        assertThat(refusal("npm test\r")).contains("CR");
        assertThat(refusal("npm test 'a\rb'")).contains("CR");
        assertThat(refusal("npm test \"a\rb\"")).contains("CR");
        assertThat(refusal("npm test \\\r\n")).contains("CR");
        assertThat(refusal("npm test \\\n")).contains("continuation");
        assertThat(refusal("npm test \"a\\\nb\"")).contains("continuation");
        assertThat(read("npm test 'a\nb'"))
                .isEqualTo(new CommandReading.Allowed(List.of("npm", "test", "a\nb")));
    }

    @Test
    void refusesHalfASurrogatePairAndWhatTheKernelWouldNotTake() {
        assertThat(refusal("npm test \ud800")).contains("surrogate");
        assertThat(refusal("npm test " + "x".repeat(CommandPolicy.MAX_BYTES))).contains("longer");
    }

    @Test
    void keepsEmptyArguments() {
        assertThat(read("npm test '' \"\""))
                .isEqualTo(new CommandReading.Allowed(List.of("npm", "test", "", "")));
    }

    @Test
    void refusesEverythingWithAnEmptyAllowlist() {
        assertThat(refusal(CommandPolicy.read("npm test", List.of()))).contains("allowlist");
    }

    @Test
    void runsAShellOnlyWhereTheAllowlistNamesIt() {
        assertThat(CommandPolicy.read("sh -c 'a; b'", List.of("sh")))
                .isEqualTo(new CommandReading.Allowed(List.of("sh", "-c", "a; b")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/usr/bin/node", "../node", "./a/b", "a/b", "..", "./..", "./", "a\\b"})
    void honoursNoListedPathButAWrapperAtTheRoot(String program) {
        assertThat(refusal(CommandPolicy.read("'" + program + "' x", List.of(program))))
                .isNotBlank();
        assertThat(CommandPolicy.read("./check.sh x", List.of("./check.sh")))
                .isEqualTo(new CommandReading.Allowed(List.of("./check.sh", "x")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git status --porcelain",
                "git --no-pager log -1",
                "git -C packages/a diff --stat",
                "git --git-dir=.git show HEAD",
                "git grep -c needle",
                "git grep -n -e FOO src",
                "git log -c --text",
                "git log -SO",
                "git diff --no-ext-diff --no-textconv",
                "git diff --output-indicator-new=+",
                "git diff -- --output=x -O",
                "git blame -L1,5 a.ts",
                "git shortlog -sne",
                "git rev-list --count HEAD",
                "git for-each-ref --format=%(refname)x",
                "git show-ref --heads",
            })
    void letsGitRead(String command) {
        assertThat(read(command.replace("%(refname)", "'%(refname)'")))
                .isInstanceOf(CommandReading.Allowed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git",
                "git --version",
                "git -p log",
                "git commit -m x",
                "git stash",
                "git branch -D x",
                "git -c core.pager=x log",
                "git -ccore.pager=x log",
                "git --exec-path=. status",
                "git --config-env=core.pager=X log",
                "git diff --output x",
                "git diff --outp=x",
                "git log --ext-diff -p",
                "git show --textconv HEAD",
                "git show --textc HEAD",
                "git diff -Oorder",
                "git grep -Oless x",
                "git grep -lO x",
                "git grep -inOless x",
                "git grep --open-files-in-pager=x y",
                "git grep --open=x y",
                "git -C",
                "git Status",
                "git --no-pager push",
                "git --exec=x log",
                "git archive HEAD",
                "git difftool",
            })
    void letsGitDoNothingElse(String command) {
        assertThat(refusal(command)).startsWith("git: ");
    }

    private static CommandReading read(String command) {
        return CommandPolicy.read(command, CommandPolicy.DEFAULT_ALLOWLIST);
    }

    private static String refusal(String command) {
        return refusal(read(command));
    }

    private static String refusal(CommandReading reading) {
        assertThat(reading).isInstanceOf(CommandReading.Refused.class);
        return ((CommandReading.Refused) reading).reason();
    }
}
