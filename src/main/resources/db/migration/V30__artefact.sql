-- Uploaded bytes by their digest, each project's own. Small content stands in the row itself; of
-- larger content the row has none, and blob_chunk holds it in pieces.
CREATE TABLE blob (
    project    text        NOT NULL,
    sha256     text        NOT NULL,
    format     text        NOT NULL,
    bytes      bigint      NOT NULL,
    files      integer     NOT NULL,
    content    bytea,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (project, sha256)
);

-- Archives are compressed already.
ALTER TABLE blob ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE INDEX blob_expires_at ON blob (expires_at);

CREATE TABLE blob_chunk (
    project text    NOT NULL,
    sha256  text    NOT NULL,
    seq     integer NOT NULL,
    content bytea   NOT NULL,
    PRIMARY KEY (project, sha256, seq),
    FOREIGN KEY (project, sha256) REFERENCES blob ON DELETE CASCADE
);

ALTER TABLE blob_chunk ALTER COLUMN content SET STORAGE EXTERNAL;
