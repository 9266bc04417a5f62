DROP TABLE media_owners, media_pieces, media;
