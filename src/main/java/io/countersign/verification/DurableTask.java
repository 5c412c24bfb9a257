package io.countersign.verification;

import com.github.kagkarlsson.scheduler.task.Task;

/**
 * A kind of durable work and the lane that it runs in. Each bean of this type is known to the
 * workers of all replicas.
 */
record DurableTask(Lane lane, Task<?> task) {}
