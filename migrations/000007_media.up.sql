-- Pictures, sounds and films. All instances serve them from here; the bytes are in pieces, so that a part of a film is read without the whole.
CREATE TABLE media (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id         text CONSTRAINT uq_media_id UNIQUE CHECK (id ~ '^[0-9a-f]{64}$'), -- the SHA-256 of what is served; null while it comes in
    kind       text NOT NULL CHECK (kind IN ('image', 'audio', 'video')),
    type       text NOT NULL CHECK (type ~ '^(image|audio|video)/[a-z0-9]+$'),
    size       bigint CHECK (size > 0), -- bytes
    width      integer CHECK (width > 0), -- pixels; only of pictures
    height     integer CHECK (height > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_media_whole CHECK ((id IS NULL) = (size IS NULL))
);
CREATE INDEX ix_media_incoming ON media (created_at) WHERE id IS NULL;

CREATE TABLE media_pieces (
    media bigint NOT NULL REFERENCES media (number) ON DELETE CASCADE,
    place integer NOT NULL CHECK (place >= 0),
    bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 131072), -- all but the last are full
    PRIMARY KEY (media, place)
);
-- What is compressed already is not compressed again.
ALTER TABLE media_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Whose quizzes and sessions hold it. While somebody's do, it cannot be deleted.
CREATE TABLE media_owners (
    owner_id     bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    media        bigint NOT NULL REFERENCES media (number),
    unused_since timestamptz, -- when the owner's quizzes and sessions were first found to do without it
    PRIMARY KEY (owner_id, media)
);
CREATE INDEX ix_media_owners_media ON media_owners (media);
