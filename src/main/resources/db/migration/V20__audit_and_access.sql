create table audit_event (
    id             uuid        primary key,
    project        text        not null,
    principal      text        not null,
    principal_kind text        not null,
    action         text        not null,
    subject        text        not null,
    request_id     text        not null,
    at             timestamptz not null,
    detail         jsonb       not null
);
create index audit_event_by_time on audit_event (at desc, id desc);
create index audit_event_by_project on audit_event (project, at desc, id desc);

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
