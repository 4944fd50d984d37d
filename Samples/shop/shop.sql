-- A small shop: three customers, what they bought, wrote and said, and who served them.
CREATE TABLE customers (
  id integer PRIMARY KEY, name text NOT NULL, email text NOT NULL UNIQUE, password_hash text, since date NOT NULL);
CREATE TABLE staff (id integer PRIMARY KEY, name text NOT NULL, email text NOT NULL UNIQUE);
CREATE TABLE cities (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE products (id integer PRIMARY KEY, title text NOT NULL, price numeric(8, 2) NOT NULL);
CREATE TABLE addresses (
  id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers ON DELETE CASCADE, street text NOT NULL,
  city_id integer NOT NULL REFERENCES cities);
CREATE TABLE orders (
  id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, ordered timestamptz NOT NULL,
  packed_by integer REFERENCES staff, note text);
CREATE TABLE order_lines (
  order_id integer REFERENCES orders ON DELETE CASCADE, line integer, product_id integer NOT NULL REFERENCES products, amount integer NOT NULL,
  PRIMARY KEY (order_id, line));
CREATE TABLE reviews (
  id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, product_id integer NOT NULL REFERENCES products, text text NOT NULL);
CREATE TABLE messages (
  id integer PRIMARY KEY, sender_id integer NOT NULL REFERENCES customers, recipient_id integer NOT NULL REFERENCES customers, text text NOT NULL);
CREATE TABLE introductions (
  id integer PRIMARY KEY, first_id integer NOT NULL REFERENCES customers, second_id integer NOT NULL REFERENCES customers);
CREATE TABLE newsletter (id integer PRIMARY KEY, customer_email text NOT NULL, topic text NOT NULL);

INSERT INTO customers VALUES
  (41, 'Ada Brook', 'ada@shop.example', '$2b$12$abcdefghijklmnopqrstuuJ1xK0a9c0Q1T8y8p9o3kqv5m2n4b6c8', '2023-04-01'),
  (42, 'Mira Okafor', 'mira@shop.example', '$2b$12$bcdefghijklmnopqrstuvuJ1xK0a9c0Q1T8y8p9o3kqv5m2n4b6c8', '2024-02-29'),
  (43, 'Jun Sato', 'jun@shop.example', NULL, '2025-11-11');
INSERT INTO staff VALUES (1, 'Kim Lane', 'kim@shop.example');
INSERT INTO cities VALUES (1, 'Lagos'), (2, 'Leeds'), (3, 'Osaka');
INSERT INTO products VALUES (100, 'Teapot', 34.50), (101, 'Green tea', 8.90), (102, 'Kettle', 49.00);
INSERT INTO addresses VALUES (1, 41, 'Mill Lane 3', 2), (2, 42, 'Palm Street 12', 1), (3, 43, 'Umeda 1-1', 3);
INSERT INTO orders VALUES
  (500, 41, '2025-01-10 09:00+00', 1, NULL), (501, 42, '2025-02-03 18:30+00', 1, 'leave it at the door'), (502, 42, '2026-01-20 07:15+00', NULL, NULL);
INSERT INTO order_lines VALUES (500, 1, 102, 1), (501, 1, 100, 1), (501, 2, 101, 4), (502, 1, 101, 2);
INSERT INTO reviews VALUES (700, 42, 100, 'Pours well.'), (701, 41, 100, 'Too small.');
INSERT INTO messages VALUES (800, 42, 41, 'Is yours the small one?'), (801, 41, 42, 'It is.'), (802, 41, 43, 'Hello, Jun.');
INSERT INTO introductions VALUES (900, 41, 42), (901, 41, 43);
INSERT INTO newsletter VALUES (950, 'mira@shop.example', 'tea'), (951, 'jun@shop.example', 'tea');
