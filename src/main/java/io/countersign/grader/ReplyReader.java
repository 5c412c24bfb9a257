package io.countersign.grader;

import io.countersign.grader.GraderReply.Unreadable;
import io.countersign.grader.GraderReply.Verdict;
import io.countersign.grader.GradingRow.Quote;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the contract's one object out of a grader's text, or nothing. It never closes, repairs or
 * infers: a reply on which two parsers could disagree is not believed.
 */
final class ReplyReader {
    private ReplyReader() {}

    /** The whole text as JSON first; only when it is none, one object within fences or prose. */
    static GraderReply read(String text) {
        int start = skipSpace(text, 0);
        if (start == text.length()) return new Unreadable("the reply is empty");
        StrictJson json = new StrictJson(text);
        StrictJson.Attempt whole = json.valueAt(start);
        if (whole.value() != null && skipSpace(text, whole.end()) == text.length()) {
            return asVerdict(whole.value());
        }
        return new ReplyScan(text, json).read();
    }

    /** The object as a verdict, or what is wrong with it. */
    static GraderReply asVerdict(JsonNode value) {
        if (!value.isObject()) return new Unreadable("the reply is not one object");
        JsonNode pass = value.get("pass");
        if (pass == null || !pass.isBoolean()) return new Unreadable("pass is not a boolean");
        if (value.valueStream().anyMatch(ReplyReader::holdsVerdict)) {
            return new Unreadable("a verdict is nested inside another object");
        }
        List<String> reasons = reasons(value.get("reasons")).orElse(null);
        if (reasons == null) return new Unreadable("reasons are not a list of strings");
        List<Quote> evidence = evidence(value.get("evidence")).orElse(null);
        if (evidence == null) return new Unreadable("evidence is not as the contract has it");
        return new Verdict(pass.booleanValue(), reasons, evidence);
    }

    /** Whether an object with a {@code pass} stands anywhere in the value. */
    static boolean holdsVerdict(JsonNode value) {
        return value.isObject() && value.has("pass")
                || value.valueStream().anyMatch(ReplyReader::holdsVerdict);
    }

    private static Optional<List<String>> reasons(@Nullable JsonNode value) {
        if (value == null) return Optional.of(List.of());
        if (!value.isArray()) return Optional.empty();
        List<String> reasons = new ArrayList<>();
        for (JsonNode item : value) {
            if (!item.isString()) return Optional.empty();
            reasons.add(item.stringValue());
        }
        return Optional.of(reasons);
    }

    private static Optional<List<Quote>> evidence(@Nullable JsonNode value) {
        if (value == null) return Optional.of(List.of());
        if (!value.isArray()) return Optional.empty();
        List<Quote> quotes = new ArrayList<>();
        for (JsonNode item : value) {
            JsonNode criterion = item.get("criterion");
            JsonNode ref = item.get("ref");
            JsonNode quote = item.get("quote");
            boolean whole =
                    criterion != null
                            && criterion.isInt()
                            && ref != null
                            && ref.isString()
                            && quote != null
                            && quote.isString();
            if (!whole) return Optional.empty();
            quotes.add(new Quote(criterion.intValue(), ref.stringValue(), quote.stringValue()));
        }
        return Optional.of(quotes);
    }

    static int skipSpace(String text, int from) {
        int i = from;
        while (i < text.length() && " \t\r\n".indexOf(text.charAt(i)) >= 0) i++;
        return i;
    }
}
