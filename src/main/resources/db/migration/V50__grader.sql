-- One grading of one run, as it ended. Written once, in the transaction that concludes the run, and
-- never updated. Everything in it is scrubbed and bounded; it holds no secret.
create table grading (
    id                  uuid        primary key, -- the grader's own id, fresh for each grading
    verification_id     uuid        not null,
    run                 integer     not null,
    outcome             text        not null,
    pass                boolean     not null,
    cause               text,
    reasons             jsonb       not null,
    tier                text,
    provider            text,
    model_asked         text,
    model_answered      text,
    response_id         text,
    prompt_sha256       text,
    tokens_in           integer,
    tokens_out          integer,
    latency_ms          bigint      not null,
    attempts            integer     not null,
    temperature         double precision,
    temperature_omitted boolean     not null,
    structured          boolean     not null,
    reply               text,
    evidence            jsonb       not null,
    not_seen            jsonb       not null,
    graded_at           timestamptz not null,
    check (pass = (cause is null))
);
create index grading_verification on grading (verification_id, run);
