-- One row per verification. Written twice at most after it was queued (a run begins, a verdict is
-- concluded); a row that carries a verdict is never updated again.
CREATE TABLE verification (
    id                uuid        PRIMARY KEY,
    project           text        NOT NULL,
    status            text        NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'cancelled')),
    mode              text        NOT NULL,
    wiring            text        NOT NULL,
    requested_by      text        NOT NULL,
    producer_id       text,
    producer_model    text,
    input             json        NOT NULL,
    policy            json        NOT NULL,
    policy_sha256     text        NOT NULL,
    dod               jsonb       NOT NULL,
    baseline          jsonb,
    dod_sha256        text,
    run               integer     NOT NULL DEFAULT 0,
    dead_runs         integer     NOT NULL DEFAULT 0,
    held              boolean     NOT NULL DEFAULT false,
    cancelled_by      text,
    stage             jsonb,
    setup             jsonb,
    change_set_sha256 text,
    tree_sha256       text,
    accepted          boolean,
    pass              boolean,
    skipped           boolean,
    method            text,
    cause             text,
    assurance         text,
    reasons           jsonb,
    findings          jsonb,
    evidence          text,
    forcing_note      text,
    rerun_of          uuid        REFERENCES verification (id),
    -- The trace in which it was submitted, as in the W3C header of that name.
    traceparent       text,
    queued_at         timestamptz NOT NULL,
    started_at        timestamptz,
    completed_at      timestamptz,
    CHECK ((completed_at IS NULL) = (pass IS NULL)),
    CHECK (NOT (pass AND skipped))
);

-- History is read newest first; ids are UUIDv7, so they sort by time. The partial indexes are
-- maintained once, when the verdict is written.
CREATE INDEX verification_project ON verification (project, id);
CREATE INDEX verification_open ON verification (project, id) WHERE completed_at IS NULL;
CREATE INDEX verification_accepted ON verification (project, accepted, id) WHERE accepted IS NOT NULL;
CREATE INDEX verification_cause ON verification (project, cause, id) WHERE cause IS NOT NULL;
CREATE INDEX verification_producer ON verification (project, producer_id, id) WHERE producer_id IS NOT NULL;
CREATE INDEX verification_model ON verification (project, producer_model, id) WHERE producer_model IS NOT NULL;
CREATE INDEX verification_rerun ON verification (rerun_of) WHERE rerun_of IS NOT NULL;

CREATE FUNCTION refuse_verdict_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'verification % has its verdict: the row is append-only', OLD.id;
END $$;

CREATE TRIGGER verification_is_append_only BEFORE UPDATE ON verification
    FOR EACH ROW WHEN (OLD.completed_at IS NOT NULL) EXECUTE FUNCTION refuse_verdict_change();

CREATE TABLE check_result (
    verification_id uuid    NOT NULL REFERENCES verification (id) ON DELETE CASCADE,
    index           integer NOT NULL,
    run             integer NOT NULL,
    kind            text    NOT NULL,
    command         text,
    outcome         text    NOT NULL,
    reason          text,
    cause           text,
    exit_code       integer,
    duration_ms     bigint  NOT NULL,
    isolation       text,
    tests_run       integer,
    tests_failed    integer,
    tests_skipped   integer,
    tests_unknown   boolean NOT NULL DEFAULT false,
    findings        jsonb   NOT NULL DEFAULT '[]',
    output          jsonb,
    PRIMARY KEY (verification_id, index)
);

-- Captured output is kept for the retention time; everything else of a verdict stays.
CREATE TABLE check_output (
    verification_id uuid        NOT NULL REFERENCES verification (id) ON DELETE CASCADE,
    index           integer     NOT NULL,
    stream          text        NOT NULL CHECK (stream IN ('stdout', 'stderr')),
    text            text        NOT NULL,
    bytes           bigint      NOT NULL,
    truncated       boolean     NOT NULL,
    sha256          text        NOT NULL,
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (verification_id, index, stream)
);
CREATE INDEX check_output_expires ON check_output (expires_at);

CREATE TABLE changed_file (
    verification_id uuid NOT NULL REFERENCES verification (id) ON DELETE CASCADE,
    project         text NOT NULL,
    path            text NOT NULL,
    status          text NOT NULL,
    from_path       text,
    sha256          text,
    PRIMARY KEY (verification_id, path)
);
CREATE INDEX changed_file_path ON changed_file (project, path, verification_id);

CREATE TABLE verification_event (
    verification_id uuid        NOT NULL REFERENCES verification (id) ON DELETE CASCADE,
    sequence        integer     NOT NULL,
    type            text        NOT NULL,
    data            jsonb       NOT NULL,
    at              timestamptz NOT NULL,
    PRIMARY KEY (verification_id, sequence)
);

-- Two lanes on one table. A scheduler takes every row that it sees and in time deletes tasks whose
-- names it does not know, so each lane sees only its own rows: through a view of its own.
CREATE VIEW scheduled_tasks_checks AS
    SELECT * FROM scheduled_tasks WHERE task_name = 'verification';
CREATE VIEW scheduled_tasks_waiting AS
    SELECT * FROM scheduled_tasks WHERE task_name <> 'verification';
