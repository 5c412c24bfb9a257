package io.countersign.verification;

import io.countersign.kernel.Caller;
import io.countersign.kernel.Page;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Verdict history and its statistics. */
@RestController
@Tag(name = "History")
class HistoryController {
    private final History history;
    private final Statistics statistics;

    HistoryController(History history, Statistics statistics) {
        this.history = history;
        this.statistics = statistics;
    }

    @GetMapping("/v1/verifications")
    @RolesAllowed("reader")
    @Operation(summary = "Query verification history, newest first")
    Page<Map<String, @Nullable Object>> page(
            Caller caller, @ParameterObject @ModelAttribute HistoryQuery query) {
        return history.page(caller, query);
    }

    @GetMapping("/v1/stats")
    @RolesAllowed("reader")
    @Operation(summary = "Count verdicts per bucket of time")
    Map<String, List<Map<String, @Nullable Object>>> stats(
            Caller caller,
            @RequestParam(required = false) @Nullable String project,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant to,
            @RequestParam(defaultValue = "day") String bucket,
            @RequestParam(required = false) @Nullable String by) {
        return Map.of("items", statistics.of(caller, project, from, to, bucket, by));
    }
}
