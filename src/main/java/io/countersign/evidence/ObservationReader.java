package io.countersign.evidence;

import io.countersign.evidence.Observation.Outcome;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one observation and the rules that it keeps by itself. */
final class ObservationReader {
    /** Why nobody sees what code mode finally answers. */
    static final String FINALITY = "stock_codemode_final_boundary_not_exposed";

    private static final int MAX_ID_CODE_POINTS = 256;

    /** The members that are plain values; an assertion can always rest on them. */
    static final List<String> BARE = List.of("invocation_id", "mode", "outcome", "start_sequence");

    /** The members that carry a state, in the order of the schema. */
    static final List<String> STATES =
            List.of(
                    "tool",
                    "actor",
                    "session_id",
                    "message_id",
                    "call_id",
                    "parent",
                    "input",
                    "result",
                    "error",
                    "terminal_sequence");

    private static final List<String> MEMBERS =
            List.of(
                    "invocation_id",
                    "tool",
                    "mode",
                    "actor",
                    "session_id",
                    "message_id",
                    "call_id",
                    "parent",
                    "input",
                    "outcome",
                    "result",
                    "error",
                    "start_sequence",
                    "terminal_sequence");

    private enum Mode {
        NATIVE,
        CODE_MODE;

        Boundary boundary() {
            return this == NATIVE ? Boundary.NATIVE : Boundary.CODE_MODE_EXECUTION;
        }
    }

    private enum ParentKind {
        INVOCATION,
        SESSION
    }

    private final Problems problems;
    private final ShapeReader shapes;

    ObservationReader(Problems problems) {
        this.problems = problems;
        this.shapes = new ShapeReader(problems);
    }

    Optional<Observation> read(JsonNode node, String pointer) {
        if (!shapes.isObject(node, pointer, MEMBERS)) return Optional.empty();
        @Nullable String id = id(node.get("invocation_id"), pointer + "/invocation_id");
        @Nullable Mode mode =
                shapes.word(node.get("mode"), pointer + "/mode", Mode.class).orElse(null);
        @Nullable Outcome outcome =
                shapes.word(node.get("outcome"), pointer + "/outcome", Outcome.class).orElse(null);
        @Nullable BigInteger start =
                shapes.natural(node.get("start_sequence"), pointer + "/start_sequence")
                        .orElse(null);
        Map<String, FieldState> fields = fields(node, pointer);
        if (id == null || mode == null || outcome == null || start == null) {
            return Optional.empty();
        }
        if (fields.size() < STATES.size()) return Optional.empty();
        Observation observation =
                new Observation(
                        id, mode.boundary(), outcome, start, Collections.unmodifiableMap(fields));
        checkParent(observation, pointer + "/parent");
        checkEnd(observation, pointer);
        return Optional.of(observation);
    }

    private Map<String, FieldState> fields(JsonNode node, String pointer) {
        Map<String, FieldState> fields = new LinkedHashMap<>();
        for (String name : STATES) {
            shapes.state(node.get(name), pointer + "/" + name)
                    .ifPresent(state -> fields.put(name, state));
        }
        return fields;
    }

    private @Nullable String id(JsonNode node, String pointer) {
        @Nullable String id = shapes.label(node, pointer).orElse(null);
        if (id == null || id.codePointCount(0, id.length()) <= MAX_ID_CODE_POINTS) return id;
        problems.add(pointer, "is longer than " + MAX_ID_CODE_POINTS + " characters");
        return null;
    }

    private void checkParent(Observation observation, String pointer) {
        if (!(observation.field("parent") instanceof FieldState.Available parent)) return;
        if (parent.value().isNull()) return;
        String value = pointer + "/value";
        if (shapes.isObject(parent.value(), value, List.of("kind", "id"))) {
            shapes.word(parent.value().get("kind"), value + "/kind", ParentKind.class);
            shapes.label(parent.value().get("id"), value + "/id");
        }
    }

    /** The invocation that an observation names as its parent; null when it names none. */
    static @Nullable String parentInvocation(Observation observation) {
        if (!(observation.field("parent") instanceof FieldState.Available parent)) return null;
        boolean invocation = parent.value().path("kind").stringValue("").equals("invocation");
        return invocation ? parent.value().path("id").stringValue("") : null;
    }

    private void checkEnd(Observation observation, String pointer) {
        switch (observation.outcome()) {
            case SUCCESS -> {
                demandOmitted(observation, "error", pointer);
                checkAnswer(observation, "result", pointer);
                checkTerminal(observation, pointer);
            }
            case ERROR -> {
                demandOmitted(observation, "result", pointer);
                checkAnswer(observation, "error", pointer);
                checkTerminal(observation, pointer);
            }
            case MISSING -> {
                demandOmitted(observation, "result", pointer);
                demandOmitted(observation, "error", pointer);
                demandOmitted(observation, "terminal_sequence", pointer);
            }
        }
    }

    private void demandOmitted(Observation observation, String name, String pointer) {
        problems.require(
                observation.field(name) instanceof FieldState.Omitted,
                pointer + "/" + name,
                "must be omitted when the outcome is " + observation.outcome().wire());
    }

    private void checkAnswer(Observation observation, String name, String pointer) {
        if (observation.boundary() == Boundary.NATIVE) return;
        problems.require(
                observation.field(name).equals(new FieldState.Unsupported(FINALITY)),
                pointer + "/" + name,
                "must be unsupported in code mode, with the reason " + FINALITY);
    }

    private void checkTerminal(Observation observation, String pointer) {
        String place = pointer + "/terminal_sequence";
        if (observation.field("terminal_sequence") instanceof FieldState.Available terminal) {
            shapes.natural(terminal.value(), place + "/value")
                    .ifPresent(
                            end ->
                                    problems.require(
                                            end.compareTo(observation.startSequence()) > 0,
                                            place,
                                            "must be after the start"));
        } else {
            problems.add(place, "must be available when a call has ended");
        }
    }
}
