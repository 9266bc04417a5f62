DROP TABLE pub_pictures;
DROP TABLE pub_looks;
