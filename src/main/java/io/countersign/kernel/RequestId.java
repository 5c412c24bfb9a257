package io.countersign.kernel;

import org.slf4j.MDC;

/** The id under which a request is found in logs, answers and the audit. */
public final class RequestId {
    public static final String HEADER = "X-Request-Id";

    /** The key under which it stands in the logging context. */
    public static final String MDC_KEY = "requestId";

    private RequestId() {}

    /** The id of the request that this thread serves; empty outside one. */
    public static String current() {
        String id = MDC.get(MDC_KEY);
        return id == null ? "" : id;
    }
}
