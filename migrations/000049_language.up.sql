-- The language that a host reads, by its code, for letters that no request of theirs causes. Null: nobody has said, and it is English.
ALTER TABLE users ADD COLUMN language text CONSTRAINT users_language CHECK (char_length(language) BETWEEN 2 AND 35);
