-- A delegation owns the loop: attempts come in until one is accepted or the ladder gives up.
CREATE TABLE delegation (
    id              uuid        PRIMARY KEY,
    project         text        NOT NULL,
    opened_by       text        NOT NULL,
    state           text        NOT NULL CHECK (state IN ('open', 'accepted', 'unmet', 'expired', 'abandoned')),
    terminal_reason text,
    dispatch        text        NOT NULL,
    terms           jsonb       NOT NULL,
    dod             jsonb       NOT NULL,
    ladder          jsonb       NOT NULL,
    current_tier    text        NOT NULL,
    idle_ms         bigint      NOT NULL,
    opened_at       timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    closed_at       timestamptz,
    CHECK ((state = 'open') = (closed_at IS NULL)),
    CHECK ((state = 'open') = (terminal_reason IS NULL))
);
CREATE INDEX delegation_project ON delegation (project, id);
CREATE INDEX delegation_idle ON delegation (expires_at) WHERE state = 'open';

CREATE TABLE attempt (
    delegation_id     uuid        NOT NULL REFERENCES delegation (id) ON DELETE CASCADE,
    number            integer     NOT NULL,
    verification_id   uuid        NOT NULL UNIQUE REFERENCES verification (id),
    posted_by         text        NOT NULL,
    cost              numeric,
    tier              text        NOT NULL,
    final_return_text text        NOT NULL,
    action            text,
    next_tier         text,
    forcing_message   text,
    reason            text,
    checks_passed     integer,
    posted_at         timestamptz NOT NULL,
    concluded_at      timestamptz,
    PRIMARY KEY (delegation_id, number)
);
