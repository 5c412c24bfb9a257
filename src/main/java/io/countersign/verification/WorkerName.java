package io.countersign.verification;

import io.countersign.kernel.Ids;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * The name by which this process is known in {@code scheduled_tasks.picked_by} and in the log: its
 * host's (a container's or pod's), with an id, since a host may run it more than once.
 */
@Component
record WorkerName(String value) {
    @Autowired
    WorkerName(Ids ids, @Value("${HOSTNAME:worker}") String host) {
        this(host + "-" + ids.next());
    }
}
