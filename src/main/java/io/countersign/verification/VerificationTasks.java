package io.countersign.verification;

import static com.github.kagkarlsson.scheduler.task.helper.Tasks.custom;
import static com.github.kagkarlsson.scheduler.task.helper.Tasks.recurring;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;

import io.countersign.artefact.Blobs;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import java.time.InstantSource;
import java.util.function.Function;

/** The durable tasks of this module, as db-scheduler knows them. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class VerificationTasks {
    @Bean
    DurableTask verificationTask(Runs runs, VerificationJob job) {
        return oneTime(Lane.CHECKS, VerificationJob.TASK, id -> runs.run(id, job::run));
    }

    @Bean
    DurableTask gradingTask(Runs runs, GradingJob job) {
        return oneTime(Lane.WAITING, GradingJob.TASK, id -> runs.run(id, job::run));
    }

    private static DurableTask oneTime(
            Lane lane, String name, Function<VerificationId, Runs.Ending> work) {
        return new DurableTask(
                lane,
                custom(name, Void.class)
                        .onDeadExecutionRevive()
                        .onFailureReschedule(FixedDelay.ofSeconds(5))
                        .execute(
                                (task, context) ->
                                        completion(
                                                work.apply(VerificationId.parse(task.getId())))));
    }

    private static CompletionHandler<Void> completion(Runs.Ending ending) {
        return switch (ending) {
            // The task went with what it came to, in one transaction.
            case DONE -> (done, task) -> {};
            case HAND_BACK -> (done, task) -> task.reschedule(done, done.getTimeDone());
        };
    }

    @Bean
    DurableTask callbackTask(Callbacks callbacks) {
        return new DurableTask(
                Lane.WAITING,
                custom(Callbacks.TASK, Integer.class)
                        .onDeadExecutionRevive()
                        .onFailureReschedule(FixedDelay.ofSeconds(5))
                        .execute(
                                (task, context) ->
                                        callbacks.deliver(
                                                VerificationId.parse(task.getId()),
                                                task.getData() == null ? 0 : task.getData())));
    }

    @Bean
    DurableTask housekeepingTask(CheckResults checkResults, Blobs blobs, InstantSource clock) {
        return new DurableTask(
                Lane.WAITING,
                recurring("housekeeping", FixedDelay.ofMinutes(10))
                        .execute(
                                (task, context) -> {
                                    checkResults.deleteExpired(clock.instant());
                                    blobs.deleteExpired();
                                }));
    }
}
