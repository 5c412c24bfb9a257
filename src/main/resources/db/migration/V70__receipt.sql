-- One signed, single-use receipt. Consuming it is the only update there is, and it happens once.
create table receipt (
    id                uuid        primary key,
    project           text        not null,
    verification_id   uuid,
    decision_id       uuid,
    attestation_id    uuid,
    nonce             text        not null unique,
    change_set_sha256 text        not null,
    tree_sha256       text,
    dod_sha256        text,
    assurance         smallint    not null, -- 0 self, 1 baseline, 2 independent
    min_assurance     smallint    not null,
    issued_at         timestamptz not null,
    expires_at        timestamptz not null,
    document          text        not null, -- canonical JSON, without the signature
    key_id            text        not null,
    signature         bytea       not null,
    files             text        not null, -- of the change-set, to say which paths differ
    consumed_at       timestamptz,
    consumed_by       text,
    purpose           text,
    check ((verification_id is null) <> (decision_id is null)),
    check ((consumed_at is null) = (consumed_by is null))
) with (fillfactor = 80);
create unique index receipt_verification on receipt (verification_id)
    where verification_id is not null;
create unique index receipt_decision on receipt (decision_id) where decision_id is not null;

create function refuse_receipt_change() returns trigger language plpgsql as $$
begin
    raise exception 'receipt % was consumed: it never changes again', old.id;
end $$;

create trigger receipt_is_consumed_once before update on receipt
    for each row when (old.consumed_at is not null) execute function refuse_receipt_change();
