package io.countersign.dod.web;

import io.countersign.dod.Dod;
import io.countersign.dod.DodJson;
import io.countersign.dod.DodParser;
import io.countersign.dod.Hints;
import io.countersign.dod.Inference;
import io.countersign.dod.Inferred;
import io.countersign.dod.ParsedBlock;
import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Shows what a text means as a Definition of Done, before anything is submitted. */
@RestController
@RequestMapping("/v1/dod")
class DodController {
    record ParseRequest(@Nullable String text, @Nullable String source) {}

    /**
     * @param dod the DoD with its diagnostics; null when the text has no complete block
     * @param reason why there is no DoD; null when there is one
     * @param diagnostics in line order, also those of a text without a block
     */
    record ParseAnswer(
            @Nullable Map<String, @Nullable Object> dod,
            @Nullable String reason,
            List<Map<String, Object>> diagnostics) {}

    record InferRequest(@Nullable String dispatch, @Nullable Hints hints) {}

    record InferAnswer(Map<String, @Nullable Object> dod, String category) {}

    @AnyCaller
    @PostMapping("/parse")
    ParseAnswer parse(@RequestBody ParseRequest request) {
        Dod.Source source = source(request.source());
        ParsedBlock block = DodParser.parse(needed("/text", request.text()), source);
        Dod dod = block.dod();
        return new ParseAnswer(
                dod == null ? null : DodJson.members(dod),
                dod == null ? reason(block) : null,
                DodJson.diagnostics(block.diagnostics()));
    }

    @AnyCaller
    @PostMapping("/infer")
    InferAnswer infer(@RequestBody InferRequest request) {
        Inferred inferred =
                Inference.infer(
                        needed("/dispatch", request.dispatch()),
                        Objects.requireNonNullElse(request.hints(), Hints.NONE));
        return new InferAnswer(DodJson.members(inferred.dod()), inferred.category());
    }

    private static String reason(ParsedBlock block) {
        return Objects.requireNonNullElse(
                block.loneTagReason(),
                "no [acceptance] block was found, its two tags stand alone on their lines");
    }

    private static Dod.Source source(@Nullable String source) {
        return switch (source) {
            case null -> Dod.Source.EXPLICIT;
            case "explicit" -> Dod.Source.EXPLICIT;
            case "annotation" -> Dod.Source.ANNOTATION;
            default -> throw ProblemException.invalid("/source", "is explicit or annotation");
        };
    }

    private static String needed(String pointer, @Nullable String value) {
        if (value == null) throw ProblemException.invalid(pointer, "is needed");
        return value;
    }
}
