package io.countersign.grader;

import io.countersign.grader.GraderReply.Unreadable;
import io.countersign.grader.GraderReply.Verdict;
import io.countersign.grader.GradingRow.Quote;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One walk over a reply that is not JSON as a whole: finds the verdict objects that stand free in
 * it, skips thinking that comes before them, and remembers the first thing that makes the reply
 * unbelievable. Linear in the text: {@link StrictJson} gives up on one that makes too much vain
 * work, and the patterns never backtrack.
 */
final class ReplyScan {
    private static final Pattern THINKING =
            Pattern.compile("<(/?)think(?:ing)?+\\s*+>", Pattern.CASE_INSENSITIVE);

    /** How a verdict begins, in JSON or in one of the spellings that models take for JSON. */
    private static final Pattern VERDICT_LIKE =
            Pattern.compile(
                    "\\{\\s*+(?:\\\\*+[\"'\u201c\u201d\u2018\u2019`]|&quot;)?+\\s*+(?:pass|reasons)\\b",
                    Pattern.CASE_INSENSITIVE);

    private final String text;
    private final StrictJson json;
    private final Matcher thinking;
    private final Matcher verdictLike;
    private final int lastClosing;

    private final List<Verdict> verdicts = new ArrayList<>();
    private @Nullable String fault;
    private int openInProse;

    ReplyScan(String text, StrictJson json) {
        this.text = text;
        this.json = json;
        this.thinking = THINKING.matcher(text);
        this.verdictLike = VERDICT_LIKE.matcher(text);
        this.lastClosing = lastClosing(text);
    }

    private static int lastClosing(String text) {
        int last = -1;
        for (Matcher tag = THINKING.matcher(text); tag.find(); ) {
            if (!tag.group(1).isEmpty()) last = tag.start();
        }
        return last;
    }

    GraderReply read() {
        for (int i = 0; i < text.length() && !decided(i); ) {
            i =
                    switch (text.charAt(i)) {
                        case '<' -> tag(i);
                        case '{' -> object(i);
                        case '[' -> list(i);
                        default -> i + 1;
                    };
        }
        if (json.exhausted()) blame("it is too tangled to be read");
        if (fault != null) return new Unreadable(fault);
        if (verdicts.isEmpty()) return new Unreadable("there is no verdict object in it");
        return joined();
    }

    /** Only a closing tag further on, which turns all before it into thinking, lifts a fault. */
    private boolean decided(int i) {
        return json.exhausted() || fault != null && i > lastClosing;
    }

    private int tag(int at) {
        thinking.region(at, text.length());
        if (!thinking.lookingAt()) return at + 1;
        int after = thinking.end();
        if (!thinking.group(1).isEmpty()) {
            closing();
            return after;
        }
        if (!verdicts.isEmpty()) {
            openInProse++;
            return after;
        }
        return endOfBlock(after);
    }

    /** The place after a thinking block that stands before any verdict. */
    private int endOfBlock(int from) {
        thinking.region(from, text.length());
        while (thinking.find()) {
            if (!thinking.group(1).isEmpty()) return thinking.end();
        }
        blame("its thinking never ends");
        return text.length();
    }

    /** A closing tag without its opening one: all before it was thinking. */
    private void closing() {
        if (openInProse > 0) {
            openInProse--;
            return;
        }
        verdicts.clear();
        fault = null;
    }

    private int object(int at) {
        int inside = ReplyReader.skipSpace(text, at + 1);
        if (inside < text.length() && text.charAt(inside) == '"') return quotedObject(at);
        if (startsLikeVerdict(at)) blame("a fragment starts like a verdict and is not JSON");
        return at + 1;
    }

    private int quotedObject(int at) {
        StrictJson.Attempt attempt = json.valueAt(at);
        JsonNode value = attempt.value();
        if (value == null) {
            if (attempt.cutOff()) blame("an object in it is cut off");
            if (startsLikeVerdict(at) || namesVerdict(at, attempt.end())) {
                blame("a fragment starts like a verdict and is not JSON");
            }
            return at + 1;
        }
        classify(value, at, attempt.end());
        return attempt.end();
    }

    private void classify(JsonNode value, int at, int end) {
        if (value.has("pass") || value.has("reasons")) {
            if (nested(at, end)) blame("a verdict is nested inside another value");
            switch (ReplyReader.asVerdict(value)) {
                case Verdict verdict -> verdicts.add(verdict);
                case Unreadable unreadable -> blame(unreadable.fault());
            }
        } else if (ReplyReader.holdsVerdict(value)) {
            blame("a verdict is nested inside another object");
        }
    }

    private int list(int at) {
        int inside = ReplyReader.skipSpace(text, at + 1);
        if (inside == text.length() || "{[\"".indexOf(text.charAt(inside)) < 0) return at + 1;
        StrictJson.Attempt attempt = json.valueAt(at);
        if (attempt.value() == null) return at + 1;
        if (ReplyReader.holdsVerdict(attempt.value())) blame("a verdict is nested inside a list");
        return attempt.end();
    }

    /** Whether the object's surroundings show it as part of a larger value that is no JSON. */
    private boolean nested(int at, int end) {
        int before = at - 1;
        while (before >= 0 && Character.isWhitespace(text.charAt(before))) before--;
        if (before >= 0 && "[{".indexOf(text.charAt(before)) >= 0) return true;
        if (before >= 1 && text.charAt(before) == ':' && text.charAt(before - 1) == '"') {
            return true;
        }
        int after = ReplyReader.skipSpace(text, end);
        return after < text.length() && "]}".indexOf(text.charAt(after)) >= 0;
    }

    private boolean startsLikeVerdict(int at) {
        verdictLike.region(at, text.length());
        return verdictLike.lookingAt();
    }

    private boolean namesVerdict(int from, int to) {
        String fragment = text.substring(from, Math.min(to, text.length()));
        return fragment.contains("\"pass\"") || fragment.contains("\"reasons\"");
    }

    private void blame(String what) {
        if (fault == null) fault = what;
    }

    /** Objects that agree are one; their reasons are joined so that none is lost. */
    private GraderReply joined() {
        boolean pass = verdicts.getFirst().pass();
        Set<String> reasons = new LinkedHashSet<>();
        Set<Quote> evidence = new LinkedHashSet<>();
        for (Verdict verdict : verdicts) {
            if (verdict.pass() != pass) return new Unreadable("two verdicts in it disagree");
            reasons.addAll(verdict.reasons());
            evidence.addAll(verdict.evidence());
        }
        return new Verdict(pass, List.copyOf(reasons), List.copyOf(evidence));
    }
}
