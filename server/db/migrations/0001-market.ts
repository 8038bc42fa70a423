/**
 * The tick log and what is computed from it. A flush is one row of `tick_batch`; `tick_chunk` holds the same ticks
 * packed, product by product, and takes their place. No row is ever changed, and rows go only in a transaction that
 * says that it seals or prunes.
 */
export const market = {
  id: 1,
  name: 'market',
  sql: `
-- A product as the log knows it: its number in frames, its scales, and where its feed's time begins.
CREATE TABLE feed_product (
  ix integer PRIMARY KEY CHECK (ix > 0),
  id text NOT NULL CONSTRAINT feed_product_id_unique UNIQUE,
  price_decimals integer NOT NULL,
  size_decimals integer NOT NULL,
  first_at bigint NOT NULL
);
-- Each time a product got another source: its fingerprint and the epoch of its replay. The newest row counts.
CREATE TABLE feed_source (
  ix integer NOT NULL REFERENCES feed_product (ix),
  since_at bigint NOT NULL,
  epoch_at bigint NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (ix, since_at)
);
-- Time that the feed of a product did not cover: the instants t with from_at < t <= to_at.
CREATE TABLE feed_gap (
  ix integer NOT NULL REFERENCES feed_product (ix),
  from_at bigint NOT NULL,
  to_at bigint NOT NULL CHECK (to_at > from_at),
  PRIMARY KEY (ix, from_at)
);
-- What the operator set; the only table of the market that changes.
CREATE TABLE product_state (
  id text PRIMARY KEY,
  maintenance boolean NOT NULL,
  opens_at bigint,
  retired_at bigint
);
CREATE TABLE tick_batch (
  id bigint PRIMARY KEY,
  at bigint NOT NULL,
  data bytea NOT NULL
);
CREATE TABLE tick_chunk (
  ix integer NOT NULL REFERENCES feed_product (ix),
  seq0 bigint NOT NULL,
  seq1 bigint NOT NULL CHECK (seq1 >= seq0),
  at0 bigint NOT NULL,
  at1 bigint NOT NULL CHECK (at1 >= at0),
  hash_before bytea NOT NULL CHECK (octet_length(hash_before) = 32),
  hash_after bytea NOT NULL CHECK (octet_length(hash_after) = 32),
  data bytea NOT NULL,
  PRIMARY KEY (ix, seq0)
);
CREATE INDEX tick_chunk_at ON tick_chunk (ix, at1, seq0);
-- Minute buckets: one row a minute for all products, until the hour is over and each product has its own row.
CREATE TABLE minute_row (
  open_at bigint PRIMARY KEY,
  data bytea NOT NULL
);
CREATE TABLE bucket_hour (
  ix integer NOT NULL REFERENCES feed_product (ix),
  open_at bigint NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  volume double precision NOT NULL,
  last_seq bigint NOT NULL,
  minutes bytea NOT NULL,
  PRIMARY KEY (ix, open_at)
);
-- Packed already: not worth a second try.
ALTER TABLE tick_batch ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE tick_chunk ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE minute_row ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE bucket_hour ALTER COLUMN minutes SET STORAGE EXTERNAL;

CREATE TRIGGER feed_product_stays BEFORE UPDATE OR DELETE ON feed_product FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_source_stays BEFORE UPDATE OR DELETE ON feed_source FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_gap_stays BEFORE UPDATE OR DELETE ON feed_gap FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER tick_batch_stays BEFORE UPDATE OR DELETE ON tick_batch FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER tick_chunk_stays BEFORE UPDATE OR DELETE ON tick_chunk FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER minute_row_stays BEFORE UPDATE OR DELETE ON minute_row FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER bucket_hour_stays BEFORE UPDATE OR DELETE ON bucket_hour FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_product_no_truncate BEFORE TRUNCATE ON feed_product EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_source_no_truncate BEFORE TRUNCATE ON feed_source EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_gap_no_truncate BEFORE TRUNCATE ON feed_gap EXECUTE FUNCTION deny_change();
CREATE TRIGGER tick_batch_no_truncate BEFORE TRUNCATE ON tick_batch EXECUTE FUNCTION deny_change();
CREATE TRIGGER tick_chunk_no_truncate BEFORE TRUNCATE ON tick_chunk EXECUTE FUNCTION deny_change();
CREATE TRIGGER minute_row_no_truncate BEFORE TRUNCATE ON minute_row EXECUTE FUNCTION deny_change();
CREATE TRIGGER bucket_hour_no_truncate BEFORE TRUNCATE ON bucket_hour EXECUTE FUNCTION deny_change();
`,
} as const
