-- +goose Up
CREATE TABLE shop_reviews (id bigint PRIMARY KEY, body text NOT NULL, hidden boolean NOT NULL DEFAULT false);
CREATE TABLE shop_letters (task_id uuid PRIMARY KEY, review bigint NOT NULL, hidden boolean NOT NULL);
INSERT INTO shop_reviews (id, body) VALUES (1, 'Buy my watches instead');

-- +goose Down
DROP TABLE shop_letters, shop_reviews;
