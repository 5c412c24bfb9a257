-- First answers of requests that carried an Idempotency-Key.
create table idempotency_key (
    principal   text        not null,
    route       text        not null,
    key         text        not null,
    body_sha256 text        not null,
    status      smallint    not null,
    headers     jsonb       not null,
    body        text,
    created_at  timestamptz not null,
    expires_at  timestamptz not null,
    primary key (principal, route, key)
);
create index idempotency_key_expiry on idempotency_key (expires_at);

-- db-scheduler 16.12; the library ships no DDL.
create table scheduled_tasks (
    task_name            text        not null,
    task_instance        text        not null,
    task_data            bytea,
    execution_time       timestamptz not null,
    picked               boolean     not null,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures integer,
    last_heartbeat       timestamptz,
    version              bigint      not null,
    priority             smallint,
    primary key (task_name, task_instance)
);
create index scheduled_tasks_due on scheduled_tasks (execution_time asc, priority desc);
create index scheduled_tasks_due_by_priority on scheduled_tasks (priority desc, execution_time asc);
create index scheduled_tasks_heartbeat on scheduled_tasks (last_heartbeat);
