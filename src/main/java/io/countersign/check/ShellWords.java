package io.countersign.check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command line into words as a POSIX shell quotes them, and expands nothing. What a shell
 * would act on outside quotes is refused rather than passed as text, because whoever wrote it meant
 * a shell to see it.
 */
final class ShellWords {
    /** Either all words or the reason why there are none. */
    sealed interface Splitting {
        record Words(List<String> words) implements Splitting {}

        record Refused(String reason) implements Splitting {}
    }

    private static final String CONTINUATION =
            "a line continuation (a backslash at the end of a line) is refused: write the command on"
                    + " one line";

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;
    private @Nullable String refusal;

    private ShellWords(String text) {
        this.text = text;
    }

    static Splitting split(String text) {
        return new ShellWords(text).read();
    }

    private Splitting read() {
        for (; at < text.length() && refusal == null; at++) {
            char c = text.charAt(at);
            switch (c) {
                case ' ', '\t' -> endWord();
                case '\'' -> readSingleQuoted();
                case '"' -> readDoubleQuoted();
                case '\\' -> readEscape();
                default -> readPlain(c);
            }
        }
        if (refusal != null) return new Splitting.Refused(refusal);
        endWord();
        return new Splitting.Words(List.copyOf(words));
    }

    private void readPlain(char c) {
        ShellOperator.at(text, at)
                .ifPresentOrElse(operator -> refusal = operator.refusal(), () -> append(c));
    }

    private void readSingleQuoted() {
        int close = text.indexOf('\'', at + 1);
        if (close < 0) {
            refusal = neverClosed("single quote", at);
            return;
        }
        for (at++; at < close; at++) append(text.charAt(at));
        inWord = true;
    }

    private void readDoubleQuoted() {
        int open = at;
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            if (escapesInDoubleQuotes()) at++;
            append(text.charAt(at));
        }
        if (at >= text.length()) refusal = neverClosed("double quote", open);
        inWord = true;
    }

    /** Within double quotes a backslash escapes only these; before anything else it stays. */
    private boolean escapesInDoubleQuotes() {
        if (text.charAt(at) != '\\' || at + 1 >= text.length()) return false;
        char next = text.charAt(at + 1);
        if (next == '\n') refusal = CONTINUATION;
        return "$`\"\\\n".indexOf(next) >= 0;
    }

    private void readEscape() {
        at++;
        if (at == text.length()) {
            refusal = "the command ends in a lone backslash";
        } else if (text.charAt(at) == '\n') {
            refusal = CONTINUATION;
        } else {
            append(text.charAt(at));
        }
    }

    /** A carriage return is refused wherever it stands, also in quotes. */
    private void append(char c) {
        if (c == '\r') refusal = "the command contains a carriage return (CR)";
        word.append(c);
        inWord = true;
    }

    private void endWord() {
        if (!inWord) return;
        words.add(word.toString());
        word.setLength(0);
        inWord = false;
    }

    private static String neverClosed(String quote, int index) {
        return "the " + quote + " at character " + (index + 1) + " is never closed";
    }
}
