-- What a host's pub looks like on the big screen.
CREATE TABLE pub_looks (
    owner_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    accent   text CHECK (accent ~ '^#[0-9a-f]{6}$') -- null: the product's own
);

-- Its pictures. What is shown here stays stored, and is the host's own.
CREATE TABLE pub_pictures (
    owner_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    place    smallint NOT NULL CHECK (place BETWEEN 0 AND 8), -- 0: the logo; the others are shown in the breaks, in this order
    media    bigint NOT NULL,
    PRIMARY KEY (owner_id, place),
    CONSTRAINT fk_pub_pictures_owned FOREIGN KEY (owner_id, media) REFERENCES media_owners (owner_id, media)
);
CREATE INDEX ix_pub_pictures_media ON pub_pictures (owner_id, media);
