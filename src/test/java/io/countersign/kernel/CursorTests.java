package io.countersign.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

class CursorTests {
    private static final UUID ID = UUID.fromString("01980000-0000-7000-8000-00000000002a");
    private static final Cursor CURSOR =
            new Cursor(Instant.parse("2026-11-30T12:00:00.123456789Z"), ID);

    @Test
    void comesBackAsItWentToTheMicrosecond() {
        Cursor back = Cursor.parse(CURSOR.encode());

        assertThat(back).isEqualTo(CURSOR);
        assertThat(back.at()).isEqualTo(Instant.parse("2026-11-30T12:00:00.123456Z"));
        assertThat(CURSOR.encode()).matches("[A-Za-z0-9_-]{40}");
        Cursor early = new Cursor(Instant.parse("1969-07-20T20:17:40.5Z"), ID);
        assertThat(Cursor.parse(early.encode())).isEqualTo(early);
    }

    @Test
    void refusesEveryChangedCharacter() {
        String good = CURSOR.encode();
        for (int i = 0; i < good.length(); i++) {
            char other = good.charAt(i) == 'A' ? 'B' : 'A';
            String bad = good.substring(0, i) + other + good.substring(i + 1);
            assertInvalid(bad);
        }
        for (int i = 0; i < good.length(); i++) {
            assertInvalid(good.substring(0, i));
        }
        assertInvalid(good + "AAAA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "not base64!", "AAAA", "=", "\u0000"})
    void refusesWhatThisServiceDidNotMake(String text) {
        assertInvalid(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+10000-01-01T00:00:00Z", "0000-12-31T23:59:59Z"})
    void refusesATimeThatNoRowCanHave(String time) {
        assertInvalid(new Cursor(Instant.parse(time), ID).encode());
    }

    private static void assertInvalid(String text) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> Cursor.parse(text))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ProblemCode.INVALID_REQUEST))
                .satisfies(e -> assertThat(e.errors().getFirst().pointer()).isEqualTo("?cursor"));
    }

    @Test
    void aPageEndsWithTheCursorOfItsLastRow() {
        List<Cursor> rows =
                IntStream.range(0, 4)
                        .mapToObj(i -> new Cursor(CURSOR.at().minusSeconds(i), ID))
                        .toList();

        Page<Cursor> more = Page.of(rows, 3, row -> row);
        Page<Cursor> last = Page.of(rows, 4, row -> row);

        assertThat(more.items()).isEqualTo(rows.subList(0, 3));
        assertThat(more.next()).isEqualTo(rows.get(2).encode());
        assertThat(last.items()).isEqualTo(rows);
        assertThat(last.next()).isNull();
        assertThat(Page.limit(null)).isEqualTo(50);
        assertThat(Page.limit(200)).isEqualTo(200);
        for (int odd : new int[] {0, -1, 201}) {
            assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> Page.limit(odd));
        }
    }
}
