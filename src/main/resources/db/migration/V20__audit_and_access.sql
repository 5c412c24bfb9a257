-- Every write by a principal. "sha256" is the digest of the row's canonical JSON; "batch" is set once,
-- when the row is sealed.
create table audit_event (
    id             uuid        primary key,
    project        text        not null,
    principal      text        not null,
    principal_kind text        not null,
    action         text        not null,
    subject        text        not null,
    request_id     text        not null,
    at             timestamptz not null,
    detail         jsonb       not null,
    sha256         text        not null,
    batch          bigint
);
-- Ids are UUIDv7: their order is the order of time, and the primary key serves the whole listing.
create index audit_event_by_project on audit_event (project, id);
create index audit_event_by_principal on audit_event (principal, id);
create index audit_event_by_subject on audit_event (subject, id);
create index audit_event_by_batch on audit_event (project, batch, id);
create index audit_event_unsealed on audit_event (id) where batch is null;

-- The heads: a chain per project ("number", "previous_sha256"), and one through all of them ("serial",
-- "previous_serial_sha256"), so that cutting off the end of one project's chain shows in the other.
create table audit_batch (
    serial                 bigint      primary key,
    project                text        not null,
    number                 bigint      not null,
    events                 integer     not null,
    rows_sha256            text        not null,
    previous_sha256        text        not null,
    previous_serial_sha256 text        not null,
    sealed_at              timestamptz not null,
    sha256                 text        not null,
    key_id                 text,
    signature              text,
    unique (project, number)
);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' and tg_table_name = 'audit_event' then
        if old.batch is null and new.batch is not null
            and to_jsonb(new) - 'batch' = to_jsonb(old) - 'batch' then
            return new;
        end if;
    end if;
    raise exception 'the audit is append-only';
end
$$;
create trigger audit_event_append_only before update or delete on audit_event
    for each row execute function audit_is_append_only();
create trigger audit_event_no_truncate before truncate on audit_event
    for each statement execute function audit_is_append_only();
create trigger audit_batch_append_only before update or delete on audit_batch
    for each row execute function audit_is_append_only();
create trigger audit_batch_no_truncate before truncate on audit_batch
    for each statement execute function audit_is_append_only();

create table principal (
    id           text        primary key,
    uid          uuid        not null unique,
    kind         text        not null,
    roles        text[]      not null,
    anchor_kinds text[]      not null,
    projects     text[]      not null,
    tier         text,
    model        text,
    created_at   timestamptz not null,
    updated_at   timestamptz not null
);
create index principal_by_time on principal (created_at desc, uid desc);

-- The secret itself is never stored.
create table api_key (
    id            uuid        primary key,
    principal     text        not null references principal (id),
    secret_sha256 text        not null unique,
    created_at    timestamptz not null,
    created_by    text        not null,
    expires_at    timestamptz,
    revoked_at    timestamptz,
    last_used_at  timestamptz
);
create index api_key_by_principal on api_key (principal, created_at desc, id desc);

create table project (
    id            text        primary key,
    policy        jsonb       not null,
    policy_sha256 text        not null,
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    updated_by    text        not null
);
