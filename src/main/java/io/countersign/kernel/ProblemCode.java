package io.countersign.kernel;

/**
 * Every problem this service answers, by the code that stands in {@code type} ({@code
 * urn:countersign:problem:<code>}) of RFC 9457 problem details. One list, so that a code means one
 * thing everywhere.
 */
public enum ProblemCode {
    UNREADABLE_JSON("unreadable-json", 400, "The request body is not readable JSON"),
    UNREADABLE_REQUEST("unreadable-request", 400, "The request cannot be read"),
    UNAUTHENTICATED("unauthenticated", 401, "A valid API key or token is needed"),
    FORBIDDEN("forbidden", 403, "The caller may not do this"),
    NOT_FOUND("not-found", 404, "There is no such thing"),
    METHOD_NOT_ALLOWED("method-not-allowed", 405, "The method is not allowed here"),
    NOT_ACCEPTABLE("not-acceptable", 406, "No representation fits the Accept header"),
    CONFLICT("conflict", 409, "The state does not allow this"),
    IDEMPOTENCY_KEY_REUSED(
            "idempotency-key-reused", 409, "The Idempotency-Key was used with another request"),
    IDEMPOTENCY_IN_PROGRESS(
            "idempotency-in-progress", 409, "The first request with this key is still running"),
    TOO_LARGE("too-large", 413, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The content type is not supported"),
    MISDIRECTED_HOST("misdirected-host", 421, "This host name is not served here"),
    INVALID_REQUEST("invalid-request", 422, "The request is readable but wrong"),
    UNKNOWN_FIELD("unknown-field", 422, "The request has a field that does not exist"),
    DOD_LIMIT("dod-limit", 422, "The Definition of Done is over a limit"),
    PATH_ESCAPES("path-escapes", 422, "A path leads outside the workspace"),
    PATH_NOT_NFC("path-not-nfc", 422, "A path is not in Unicode NFC"),
    PATH_INVALID("path-invalid", 422, "A path is not acceptable"),
    PATH_DUPLICATE("path-duplicate", 422, "A path is given twice"),
    ARCHIVE_UNREADABLE("archive-unreadable", 422, "The archive is broken or cut off"),
    ARCHIVE_UNSAFE("archive-unsafe", 422, "The archive has an entry that is not allowed"),
    ARCHIVE_TOO_LARGE("archive-too-large", 422, "The archive unpacks to more than is allowed"),
    UNKNOWN_BLOB("unknown-blob", 422, "This project has no such uploaded archive"),
    MOUNT_NOT_ALLOWED("mount-not-allowed", 422, "This path is not under a mount root"),
    CALLBACK_NOT_ALLOWED("callback-not-allowed", 422, "This callback address is not allowed"),
    CANONICAL_JSON("canonical-json", 422, "The JSON cannot be made canonical"),
    INTENT_BEARING_KEY("intent-bearing-key", 422, "The bundle carries the drafter's intent"),
    SUBJECT_MISMATCH("subject-mismatch", 422, "The attestation is about another change-set"),
    QUEUE_FULL("queue-full", 429, "The queue is full"),
    RATE_LIMITED("rate-limited", 429, "Too many requests"),
    RECEIPT_REPLAYED("receipt-replayed", 409, "The receipt was consumed before"),
    RECEIPT_STALE("receipt-stale", 410, "The receipt is older than its window"),
    RECEIPT_NOT_YET_VALID("receipt-not-yet-valid", 410, "The receipt is not valid yet"),
    CHANGE_SET_MISMATCH("change-set-mismatch", 412, "The receipt is for another change-set"),
    TREE_MISMATCH("tree-mismatch", 412, "The receipt is for another tree"),
    DOD_MISMATCH("dod-mismatch", 412, "The receipt is for another Definition of Done"),
    RECEIPT_PREDATES_CHANGE(
            "receipt-predates-change", 412, "A file changed after the receipt was issued"),
    ASSURANCE_TOO_LOW("assurance-too-low", 403, "The receipt's assurance is too low"),
    INTERNAL("internal", 500, "Something failed in the service"),
    UNAVAILABLE("unavailable", 503, "The service cannot answer at the moment"),
    SHUTTING_DOWN("shutting-down", 503, "The service is shutting down");

    private final String code;
    private final int status;
    private final String title;

    ProblemCode(String code, int status, String title) {
        this.code = code;
        this.status = status;
        this.title = title;
    }

    public String code() {
        return code;
    }

    /** The HTTP status that goes with the code. */
    public int status() {
        return status;
    }

    public String title() {
        return title;
    }
}
