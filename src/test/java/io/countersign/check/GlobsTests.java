package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

class GlobsTests {
    @ParameterizedTest(name = "{0} matches {1}: {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    src/**                | src/a.ts              | true
                    src/**                | src/a/b.ts            | true
                    src/**                | src                   | false
                    src/**                | lib/src/a.ts          | false
                    src/*                 | src/a.ts              | true
                    src/*                 | src/a/b.ts            | false
                    **/*.ts               | a.ts                  | true
                    **/*.ts               | x/y/a.ts              | true
                    **/*.ts               | a.tsx                 | false
                    *.md                  | README.md             | true
                    *.md                  | docs/README.md        | false
                    **                    | any/thing             | true
                    a/**/b                | a/b                   | true
                    a/**/b                | a/x/y/b               | true
                    a/**/b                | a/xb                  | false
                    src/**.ts             | src/a/b.ts            | true
                    src                   | src                   | true
                    src                   | src/a/b.ts            | true
                    src                   | src2/a                | false
                    src/                  | src/a/b.ts            | true
                    src/                  | src                   | false
                    ./src/*               | src/a                 | true
                    src//a                | src/a                 | true
                    ./src/./a             | src/a                 | true
                    ././src               | src/a/b               | true
                    src/./**              | src/a                 | true
                    src//                 | src/a/b               | true
                    src/.                 | src/a/b               | true
                    {src,test}            | test/a/b.ts           | true
                    {src,test}            | src                   | true
                    {src,test}            | srctest               | false
                    {src,lib/*}           | src/a/b               | true
                    {src,lib/*}           | lib/a/b               | false
                    {src,./test}/**       | test/a                | true
                    a/{b,/c}              | a/c                   | true
                    {a/,b}/c              | a/c                   | true
                    {src/,test/}          | test/a/b              | true
                    a{,/b}                | a/b                   | true
                    a{b,c{d,e}}f          | acef                  | true
                    src\\a.ts             | src/a.ts              | true
                    {src,test}/**         | test/a.ts             | true
                    {src,test}/**         | doc/a.ts              | false
                    {a,b/{c,d}}.txt       | b/d.txt               | true
                    {**/,}x.js            | a/b/x.js              | true
                    {**/,}x.js            | x.js                  | true
                    a?c                   | abc                   | true
                    a?c                   | a/c                   | false
                    [abc].txt             | b.txt                 | true
                    [!abc].txt            | b.txt                 | false
                    [!abc].txt            | d.txt                 | true
                    [!abc].txt            | /.txt                 | false
                    [a-c]x                | bx                    | true
                    app/[id]/page.tsx     | app/[id]/page.tsx     | true
                    app/[...slug]/*       | app/[...slug]/page.js | true
                    a.b                   | axb                   | false
                    a+(b)                 | a+(b)                 | true
                    .env*                 | .env.local            | true
                    *                     | .hidden               | true
                    caf\u00e9/*           | cafe\u0301/x          | false
                    SRC/*                 | src/a                 | false
                    src/**,test/**        | test/a                | true
                    src/** , test/**      | test/a                | true
                    ' ,src/**,, '         | src/a                 | true
                    """)
    void matchesAsAShellWould(String list, String path, boolean matches) throws Globs.BadGlob {
        assertThat(Globs.read(list).match(path) != null).isEqualTo(matches);
    }

    @Test
    void readsItsOwnTextInNfc() throws Globs.BadGlob {
        assertThat(Globs.read("cafe\u0301/*").match("caf\u00e9/x")).isNotNull();
    }

    @Test
    void matchesNamesWithLineBreaks() throws Globs.BadGlob {
        assertThat(Globs.read("src/**").match("src/a\nb")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "/src/**",
                "C:/x",
                "../x",
                "a/../b",
                "!src/**",
                "{a,b",
                "a}",
                "[ab",
                "[]",
                "[!]",
                "[a/b]",
                ".",
                "./",
                "././/",
                "{,a}",
                "{a,/b}",
                "{a,../b}",
                "{a,!b}",
                "a/{b,..}/c",
                "{a,C:/b}"
            })
    void refusesWhatCouldNeverMatchAsMeant(String list) {
        assertThatThrownBy(() -> Globs.read(list)).isInstanceOf(Globs.BadGlob.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a,b}", "{{a,b},{c,d}}", "{a,{b,c}}"})
    @Timeout(20)
    void refusesMoreAlternativesThanAnybodyMeans(String braces) {
        assertThatThrownBy(() -> Globs.read(braces.repeat(4_000 / braces.length())))
                .isInstanceOf(Globs.BadGlob.class);
        assertThatThrownBy(() -> Globs.read("{".repeat(2_000) + "a,b" + "}".repeat(1_900)))
                .isInstanceOf(Globs.BadGlob.class);
    }

    @Test
    @Timeout(20)
    void takesLinearTimeForAnyGlob() throws Globs.BadGlob {
        Globs globs = Globs.read("*a".repeat(1_000) + "b");
        assertThat(globs.match("a".repeat(20_000))).isNull();
    }

    @Test
    void readsOrRefusesAnyText() {
        Random random = new Random(42);
        String alphabet = "ab/*?[]{}!,\\.-^$(+| \u00e9";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder list = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                list.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                Globs.read(list.toString()).match("a/b");
            } catch (Globs.BadGlob e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
