package io.countersign.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.receipt.ConsumptionVolley.Reply;
import io.countersign.support.Lanes;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.ServiceProcess;
import io.countersign.support.TestPostgres;
import io.countersign.support.TrainedClasses;
import io.countersign.support.Work;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two service processes on one Postgres, and one receipt: it is spent once, whatever happens. How
 * often a process is killed in the middle is {@code countersign.faults.repetitions}; {@code ./mvnw
 * verify -Pfaults} does it a hundred times.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsumptionRaceIntegrationTests {
    private static final Logger log =
            LoggerFactory.getLogger(ConsumptionRaceIntegrationTests.class);

    private static final int REPETITIONS = Integer.getInteger("countersign.faults.repetitions", 3);
    private static final long SEED = Long.getLong("countersign.faults.seed", System.nanoTime());
    private static final int WORTH_TRAINING = 10;
    private static final int CLIENTS = 200;
    private static final int WARM_UPS = 8;
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final ScheduledExecutorService executioner =
            Executors.newSingleThreadScheduledExecutor();

    /** Stays, with the services' logs, when a test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private List<String> jvm = JVM;
    private ServiceProcess survivor;
    private ServiceProcess victim;

    @BeforeAll
    void startBoth() throws Exception {
        if (REPETITIONS >= WORTH_TRAINING) {
            jvm = TrainedClasses.train(database, directory, JVM, settings("api")).options();
        }
        CompletableFuture<ServiceProcess> other = starting("api", "victim.log");
        survivor = starting("api,worker", "survivor.log").join();
        victim = other.join();
    }

    @AfterAll
    void stopBoth() {
        executioner.shutdownNow();
        survivor.close();
        victim.close();
    }

    @Test
    void ofAThousandConsumptionsOverTwoProcessesExactlyOneGetsIt() throws Exception {
        JsonNode receipt = issue();

        List<Reply> replies =
                volley(receipt, false)
                        .fire(1_000, List.of(client(survivor), client(victim)), () -> {});

        assertThat(counted(replies)).isEqualTo(Map.of("200 -", 1L, "409 receipt-replayed", 999L));
        assertThat(replies.stream().map(Reply::service).distinct()).hasSize(2);
        assertSpentOnce(receipt);
    }

    @Test
    void killingAProcessInTheMiddleNeverSpendsAReceiptTwice() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        Map<String, Integer> winners = new TreeMap<>();
        for (int i = 1; i <= REPETITIONS; i++) {
            Duration delay = moment(random.nextDouble(), warm(client(victim)));
            Trial trial = trial(i % 2 == 0, delay);
            String winner = trial.judge();
            winners.merge(winner, 1, Integer::sum);
            log.info(
                    "repetition {} of seed {}: killed after {} ms, {}; {}",
                    i,
                    SEED,
                    delay.toNanos() / 1e6,
                    winner,
                    counted(trial.replies()));
            victim = starting("api", "victim.log").join();
        }
        log.info("{} repetitions of seed {}: {}", REPETITIONS, SEED, winners);
        Lanes.note(
                "kill -9 amid consumptions",
                "ran %d times, seed %d: %s".formatted(REPETITIONS, SEED, winners));
    }

    /**
     * From half of the time that the victim's first answer takes until its last, early moments the
     * likelier: a winner is found with the first answers.
     */
    private static Duration moment(double random, List<Reply> warm) {
        Duration earliest = answered(warm).min(Duration::compareTo).orElseThrow().dividedBy(2);
        Duration latest = answered(warm).max(Duration::compareTo).orElseThrow();
        double span = latest.minus(earliest).toNanos();
        return earliest.plusNanos((long) (random * random * span));
    }

    private static Stream<Duration> answered(List<Reply> replies) {
        return replies.stream().map(Reply::after);
    }

    private Trial trial(boolean keyed, Duration delay) throws Exception {
        JsonNode receipt = issue();
        ConsumptionVolley volley = volley(receipt, keyed);
        List<Future<?>> kill = new ArrayList<>();
        List<Reply> replies =
                volley.fire(
                        CLIENTS,
                        List.of(client(victim), client(survivor)),
                        () -> kill.add(killingAfter(delay)));
        kill.getFirst().get();
        return new Trial(receipt, volley, keyed, replies);
    }

    private Future<?> killingAfter(Duration delay) {
        ServiceProcess doomed = victim;
        return executioner.schedule(
                () -> {
                    doomed.kill();
                    return null;
                },
                delay.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** A volley in whose midst the first of the two services was killed. */
    private final class Trial {
        private final JsonNode receipt;
        private final ConsumptionVolley volley;
        private final boolean keyed;
        private final List<Reply> replies;

        Trial(JsonNode receipt, ConsumptionVolley volley, boolean keyed, List<Reply> replies) {
            this.receipt = receipt;
            this.volley = volley;
            this.keyed = keyed;
            this.replies = replies;
        }

        List<Reply> replies() {
            return replies;
        }

        /** Holds what happened to the rules; answers who got the receipt. */
        String judge() {
            assertThat(counted(replies).keySet())
                    .isSubsetOf("200 -", "409 receipt-replayed", "broken");
            assertThat(replies).filteredOn(Reply::spent).hasSizeLessThanOrEqualTo(1);
            assertThat(replies)
                    .as("the survivor answers everybody")
                    .filteredOn(reply -> reply.answer() == null)
                    .allMatch(reply -> reply.service() == 0);
            long repeated = keyed ? repeats() : 0;
            boolean known = replies.stream().anyMatch(reply -> reply.answer() != null);
            Answer late = volley.ask(CLIENTS, client(survivor));
            assertThat(late).isNotNull();
            if (known || repeated == 1) {
                assertThat(late.at("/code").asString()).isEqualTo("receipt-replayed");
            }
            assertSpentOnce(receipt);
            return winner(repeated == 1, late.status() == 200);
        }

        /** Whoever lost the answer asks again with its key: then exactly one has the receipt. */
        private long repeats() {
            List<Answer> again =
                    replies.stream()
                            .filter(reply -> reply.answer() == null)
                            .map(reply -> volley.ask(reply.client(), client(survivor)))
                            .toList();
            long spent = again.stream().filter(answer -> answer.status() == 200).count();
            assertThat(spent + replies.stream().filter(Reply::spent).count()).isOne();
            return spent;
        }

        private String winner(boolean repeated, boolean late) {
            return replies.stream()
                    .filter(Reply::spent)
                    .findFirst()
                    .map(
                            reply ->
                                    reply.service() == 0
                                            ? "won at the victim"
                                            : "won at the survivor")
                    .orElse(
                            late
                                    ? "nobody had it before the kill"
                                    : repeated
                                            ? "won by a repeat"
                                            : "won at the victim, the answer lost");
        }
    }

    /**
     * Else the survivor wins while the victim still takes connections and loads classes. Answers
     * the last volley, half of what a trial fires.
     */
    private List<Reply> warm(ServiceClient service) throws InterruptedException {
        List<Reply> replies = List.of();
        for (int i = 0; i < WARM_UPS; i++) {
            replies = volley(issue(), false).fire(CLIENTS / 2, List.of(service), () -> {});
            assertThat(replies).filteredOn(Reply::spent).hasSize(1);
        }
        return replies;
    }

    private ConsumptionVolley volley(JsonNode receipt, boolean keyed) {
        return new ConsumptionVolley(
                receipt.path("id").asString(), receipt.path("changeSetSha256").asString(), keyed);
    }

    private void assertSpentOnce(JsonNode receipt) {
        String id = receipt.path("id").asString();
        assertThat(client(survivor).get("/v1/receipts/" + id).at("/consumedBy").asString())
                .isEqualTo("dev-ci");
        assertThat(
                        jdbc.sql(
                                        "SELECT count(*) FROM audit_event WHERE subject = ?"
                                                + " AND action = 'receipt.consumed'")
                                .param(id)
                                .query(Long.class)
                                .single())
                .isOne();
    }

    /** A receipt of a verification that the survivor accepts. */
    private JsonNode issue() {
        Answer accepted =
                client(survivor)
                        .with("Prefer", "wait=60")
                        .post(
                                "/v1/verifications",
                                Work.added("race", "check: fileExists path=a.txt", "hello"));
        assertThat(accepted.at("/receipt/id").isString()).as(accepted.toString()).isTrue();
        return accepted.at("/receipt");
    }

    private static Map<String, Long> counted(List<Reply> replies) {
        return replies.stream()
                .map(Reply::summary)
                .collect(
                        Collectors.groupingBy(
                                Function.identity(), TreeMap::new, Collectors.counting()));
    }

    private static ServiceClient client(ServiceProcess process) {
        return ServiceClient.at(process.port());
    }

    private CompletableFuture<ServiceProcess> starting(String roles, String logFile) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return ServiceProcess.start(
                                database.url(), directory.resolve(logFile), jvm, settings(roles));
                    } catch (java.io.IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    private Map<String, String> settings(String roles) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spring.datasource.username", database.user());
        settings.put("spring.datasource.password", database.password());
        settings.put("countersign.roles", roles);
        settings.put("countersign.local.data-dir", directory.resolve("data").toString());
        return settings;
    }
}
