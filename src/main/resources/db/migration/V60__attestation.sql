-- Ed25519 keys. Retired ones stay: what they signed must verify for ever. The private half is
-- encrypted under the key-encryption key; it is null for a key that comes from a mounted file.
create table signing_key (
    id          text        primary key, -- RFC 7638 thumbprint
    public_key  bytea       not null,    -- 32 raw bytes
    private_key bytea,                   -- nonce and AES-256-GCM of the PKCS #8 form
    created_at  timestamptz not null,
    created_by  text        not null,
    retired_at  timestamptz
);
create unique index signing_key_active on signing_key ((true)) where retired_at is null;

-- One signed statement about one verdict. Append-only.
create table attestation (
    id                uuid        primary key,
    project           text        not null,
    verification_id   uuid,
    decision_id       uuid,
    predicate_type    text        not null,
    result            text        not null check (result in ('PASSED', 'FAILED')),
    change_set_sha256 text        not null,
    statement_sha256  text        not null,
    key_id            text        not null references signing_key (id),
    payload           text        not null, -- the canonical statement itself
    signature         bytea       not null,
    created_at        timestamptz not null,
    check ((verification_id is null) <> (decision_id is null))
);
create unique index attestation_verification on attestation (verification_id, predicate_type)
    where verification_id is not null;
create unique index attestation_decision on attestation (decision_id, predicate_type)
    where decision_id is not null;

-- Each digest of a statement's subjects.
create table attestation_subject (
    sha256         text not null,
    attestation_id uuid not null references attestation (id),
    project        text not null,
    primary key (sha256, attestation_id)
);
