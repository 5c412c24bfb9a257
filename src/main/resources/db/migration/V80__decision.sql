-- A question to a judge over a sealed bundle. It gets one verdict and, from a grader, one decision.
create table review (
    id                uuid        primary key,
    project           text        not null,
    backend           text        not null check (backend in ('external', 'grader')),
    judge             text,
    drafter_id        text        not null,
    bundle            text        not null, -- canonical JSON, as the judge sees it
    bundle_sha256     text        not null,
    change_set_sha256 text        not null,
    files             text        not null, -- of the change-set: path to digest or null
    created_by        text        not null,
    created_at        timestamptz not null,
    verdict           text,
    verdict_at        timestamptz,
    grading           text,
    decision_id       uuid,
    check ((backend = 'external') = (judge is not null)),
    check ((verdict is null) = (verdict_at is null))
);

-- One decision. Append-only.
create table decision (
    id                uuid        primary key,
    project           text        not null,
    attestor          text        not null,
    exit_code         smallint    not null,
    decision          text        not null,
    anchor_kind       text,
    drafter_id        text,
    producer_id       text,
    change_set_sha256 text,
    verdict_sha256    text,
    verdict           text, -- as judged, scrubbed
    attestation       text, -- as posted, scrubbed
    overridden_by     text,
    override_reason   text,
    review_id         uuid        references review (id),
    receipt_id        uuid,
    answer            text        not null,
    created_at        timestamptz not null
);
create index decision_by_project on decision (project, id desc);

create function refuse_decision_change() returns trigger language plpgsql as $$
begin
    raise exception 'decisions are append-only';
end $$;

create trigger decision_is_append_only before update or delete on decision
    for each row execute function refuse_decision_change();
