package io.countersign.delegation;

import io.countersign.dod.DodJson;
import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lints plans: what each task's Definition of Done is, or what its author forgot. */
@RestController
@Tag(name = "Plans")
class PlanController {
    record PlanRequest(@Nullable String markdown) {}

    @PostMapping("/v1/plans/lint")
    @AnyCaller
    @Operation(summary = "Find a plan's tasks and their Definitions of Done")
    Map<String, Object> lint(Caller caller, @RequestBody PlanRequest request) {
        if (request.markdown() == null) {
            throw ProblemException.invalid("/markdown", "is required: the text of the plan");
        }
        List<PlanTask> tasks = PlanLinter.lint(request.markdown());
        boolean valid = tasks.stream().noneMatch(task -> task.finding() instanceof PlanTask.Faulty);
        return Map.of("valid", valid, "tasks", tasks.stream().map(PlanController::view).toList());
    }

    private static Map<String, @Nullable Object> view(PlanTask task) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("line", task.line());
        view.put("depth", task.depth());
        view.put("title", task.title());
        view.put("done", task.done());
        switch (task.finding()) {
            case PlanTask.Defined defined -> {
                view.put("finding", "defined");
                view.put("dod", DodJson.members(defined.dod()));
            }
            case PlanTask.Trivial trivial -> view.put("finding", "trivial");
            case PlanTask.Group group -> view.put("finding", "group");
            case PlanTask.Covered covered -> {
                view.put("finding", "covered");
                view.put("by", covered.by());
            }
            case PlanTask.Faulty faulty -> {
                view.put("finding", "error");
                view.put("dod", faulty.dod() == null ? null : DodJson.members(faulty.dod()));
                view.put("message", faulty.message());
            }
        }
        return view;
    }
}
