package io.countersign.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

class LadderTests {
    private static final JsonMapper DECIMALS =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void stepsAsTheCaseSays(String name, JsonNode ladderCase) {
        EscalationPolicy policy = policy(ladderCase.path("policy"));
        LadderState state = LadderState.start(policy, ladderCase.path("producerTier").asString());
        LadderAction last = null;
        for (int i = 0; i < ladderCase.path("attempts").size(); i++) {
            Ladder.Step step = Ladder.step(policy, state, attempt(ladderCase.at("/attempts/" + i)));
            JsonNode expect = ladderCase.at("/expect/" + i);
            state = step.state();
            last = step.action();
            assertThat(last.wire()).isEqualTo(expect.path("action").asString());
            assertThat(last.tier()).isEqualTo(expect.path("tier").asString());
            assertThat(last instanceof LadderAction.GiveUp g ? g.reason() : null)
                    .isEqualTo(expect.path("reason").stringValue(null));
        }
        JsonNode card = ladderCase.path("scorecard");
        assertThat(policy.ladder().get(state.tier())).isEqualTo(card.path("finalTier").asString());
        assertThat(state.attempts()).isEqualTo(card.path("attempts").asInt());
        assertThat(state.escalations()).isEqualTo(card.path("escalations").asInt());
        assertThat(state.cost()).isEqualByComparingTo(card.path("cost").decimalValue());
        assertThat(stateAfter(last)).isEqualTo(ladderCase.path("state").asString());
    }

    @Test
    void everyPolicyEnds() {
        Random random = new Random(4);
        for (int round = 0; round < 20_000; round++) {
            EscalationPolicy policy = randomPolicy(random);
            LadderState state = LadderState.start(policy, random.nextBoolean() ? "t1" : null);
            int steps = 0;
            LadderAction action;
            do {
                Ladder.Attempt attempt =
                        new Ladder.Attempt(
                                false,
                                random.nextInt(3) > 0,
                                random.nextBoolean()
                                        ? null
                                        : BigDecimal.valueOf(random.nextInt(9), 1));
                Ladder.Step step = Ladder.step(policy, state, attempt);
                assertThat(step.state().attempts())
                        .isBetween(state.attempts(), state.attempts() + 1);
                state = step.state();
                action = step.action();
                steps++;
            } while (!(action instanceof LadderAction.GiveUp)
                    && steps <= 2 * policy.maxTotalAttempts());
            assertThat(action).as("%s", policy).isInstanceOf(LadderAction.GiveUp.class);
        }
    }

    @Test
    void aSecondFaultInARowThatIsNobodysCounts() {
        EscalationPolicy policy = EscalationPolicy.DEFAULT;
        LadderState state = LadderState.start(policy, "fast");
        Ladder.Attempt fault = new Ladder.Attempt(false, true, null);

        Ladder.Step first = Ladder.step(policy, state, fault);
        Ladder.Step second = Ladder.step(policy, first.state(), fault);
        Ladder.Step third = Ladder.step(policy, second.state(), fault);

        assertThat(first.state().attempts()).isZero();
        assertThat(second.state().attempts()).isEqualTo(1);
        assertThat(third.state().attempts()).isEqualTo(1);
        assertThat(third.action()).isEqualTo(new LadderAction.Retry("fast"));
    }

    @ParameterizedTest
    @CsvSource({"0,4", "-1,4", "1,1", "2000,1000"})
    void aCeilingOfNothingIsTheDefault(int total, int expected) {
        EscalationPolicy policy =
                new EscalationPolicy(List.of("a"), null, -1, total, BigDecimal.ZERO, Map.of());

        assertThat(policy.maxTotalAttempts()).isEqualTo(expected);
        assertThat(policy.maxAttemptsPerTier()).isEqualTo(1);
        assertThat(policy.costMultiple()).isEqualByComparingTo("4");
    }

    @Test
    void tiersWithOtherNamesCostByPosition() {
        EscalationPolicy policy =
                new EscalationPolicy(
                        List.of("a", "b", "c", "d", "fast"),
                        null,
                        1,
                        4,
                        null,
                        Map.of("b", new BigDecimal("2.5")));

        assertThat(IntStream.range(0, 5).mapToObj(policy::costAt).map(BigDecimal::toPlainString))
                .containsExactly("1", "2.5", "20", "20", "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1e13", "1e999999999", "1e-999999999", "0.0000000000001"})
    void refusesCostsThatAreNone(String cost) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Ladder.Attempt(false, false, new BigDecimal(cost)));
    }

    @Test
    void refusesLaddersThatAreNone() {
        for (List<String> ladder : List.of(List.<String>of(), List.of("a", "a"), List.of(" "))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new EscalationPolicy(ladder, null, 1, 4, null, Map.of()));
        }
    }

    static Stream<Arguments> cases() throws IOException {
        try (InputStream in = LadderTests.class.getResourceAsStream("/cases/ladder.json")) {
            JsonNode cases = DECIMALS.readTree(in);
            return StreamSupport.stream(cases.spliterator(), false)
                    .map(c -> Arguments.of(c.path("name").asString(), c));
        }
    }

    private static Ladder.Attempt attempt(JsonNode node) {
        return new Ladder.Attempt(
                node.path("pass").asBoolean() || node.path("skipped").asBoolean(false),
                node.path("cause").asString("").equals("infrastructure"),
                node.has("cost") ? node.path("cost").decimalValue() : null);
    }

    private static EscalationPolicy policy(JsonNode node) {
        EscalationPolicy defaults = EscalationPolicy.DEFAULT;
        List<String> ladder = new ArrayList<>();
        node.path("ladder").forEach(tier -> ladder.add(tier.asString()));
        Map<String, BigDecimal> costs = new HashMap<>();
        node.path("tierCosts")
                .properties()
                .forEach(cost -> costs.put(cost.getKey(), cost.getValue().decimalValue()));
        return new EscalationPolicy(
                ladder.isEmpty() ? defaults.ladder() : ladder,
                node.path("floorTier").stringValue(null),
                node.path("maxAttemptsPerTier").asInt(defaults.maxAttemptsPerTier()),
                node.path("maxTotalAttempts").asInt(defaults.maxTotalAttempts()),
                !node.has("costMultiple")
                        ? defaults.costMultiple()
                        : node.path("costMultiple").isNull()
                                ? null
                                : node.path("costMultiple").decimalValue(),
                costs);
    }

    private static String stateAfter(@Nullable LadderAction last) {
        return switch (last) {
            case LadderAction.Accept _ -> "accepted";
            case LadderAction.GiveUp _ -> "unmet";
            case LadderAction.Retry _, LadderAction.Escalate _ -> "open";
            case null -> "open";
        };
    }

    private static EscalationPolicy randomPolicy(Random random) {
        List<String> ladder =
                IntStream.rangeClosed(0, random.nextInt(6)).mapToObj(i -> "t" + i).toList();
        return new EscalationPolicy(
                ladder,
                random.nextBoolean() ? "t" + random.nextInt(8) : null,
                random.nextInt(12) - 1,
                random.nextInt(40) - 2,
                random.nextBoolean() ? null : BigDecimal.valueOf(random.nextInt(200) - 10, 1),
                Map.of());
    }
}
