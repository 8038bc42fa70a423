-- The tick log and what is computed from it. A flush is one row of `tick_batch`; `tick_chunk` holds the same ticks
-- packed, product by product, and takes their place. No row is ever changed, and rows go only in a transaction that
-- says that it seals or prunes.

-- A product as the log knows it: its number in frames, its scales, and where its feed's time begins.
CREATE TABLE feed_product (
  ix integer PRIMARY KEY CHECK (ix > 0),
  id text NOT NULL CONSTRAINT feed_product_id_unique UNIQUE,
  price_decimals integer NOT NULL,
  size_decimals integer NOT NULL,
  first_at bigint NOT NULL
);
CREATE TRIGGER feed_product_stays BEFORE UPDATE OR DELETE ON feed_product FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_product_no_truncate BEFORE TRUNCATE ON feed_product EXECUTE FUNCTION deny_change();

-- Each time a product got another source: its fingerprint and the epoch of its replay. The newest row counts.
CREATE TABLE feed_source (
  ix integer NOT NULL REFERENCES feed_product (ix),
  since_at bigint NOT NULL,
  epoch_at bigint NOT NULL,
  fingerprint text NOT NULL,
  label text NOT NULL,
  PRIMARY KEY (ix, since_at)
);
CREATE TRIGGER feed_source_stays BEFORE UPDATE OR DELETE ON feed_source FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_source_no_truncate BEFORE TRUNCATE ON feed_source EXECUTE FUNCTION deny_change();

-- Time that the feed of a product did not cover: the instants t with from_at < t <= to_at.
CREATE TABLE feed_gap (
  ix integer NOT NULL REFERENCES feed_product (ix),
  from_at bigint NOT NULL,
  to_at bigint NOT NULL CHECK (to_at > from_at),
  PRIMARY KEY (ix, from_at)
);
CREATE TRIGGER feed_gap_stays BEFORE UPDATE OR DELETE ON feed_gap FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER feed_gap_no_truncate BEFORE TRUNCATE ON feed_gap EXECUTE FUNCTION deny_change();

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
  data bytea NOT NULL,
  -- Of the leader that wrote it.
  term bigint NOT NULL
);
-- Packed already: not worth a second try.
ALTER TABLE tick_batch ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX tick_batch_at ON tick_batch (at);
CREATE TRIGGER tick_batch_stays BEFORE UPDATE OR DELETE ON tick_batch FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER tick_batch_no_truncate BEFORE TRUNCATE ON tick_batch EXECUTE FUNCTION deny_change();

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
ALTER TABLE tick_chunk ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX tick_chunk_at ON tick_chunk (ix, at1, seq0);
CREATE TRIGGER tick_chunk_stays BEFORE UPDATE OR DELETE ON tick_chunk FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER tick_chunk_no_truncate BEFORE TRUNCATE ON tick_chunk EXECUTE FUNCTION deny_change();

-- Minute buckets: one row a minute for all products, until the hour is over and each product has its own row.
CREATE TABLE minute_row (
  open_at bigint PRIMARY KEY,
  data bytea NOT NULL
);
ALTER TABLE minute_row ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TRIGGER minute_row_stays BEFORE UPDATE OR DELETE ON minute_row FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER minute_row_no_truncate BEFORE TRUNCATE ON minute_row EXECUTE FUNCTION deny_change();

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
ALTER TABLE bucket_hour ALTER COLUMN minutes SET STORAGE EXTERNAL;
CREATE TRIGGER bucket_hour_stays BEFORE UPDATE OR DELETE ON bucket_hour FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER bucket_hour_no_truncate BEFORE TRUNCATE ON bucket_hour EXECUTE FUNCTION deny_change();

-- What `log cut` moved out of a damaged log: every row as it was, when, by whom, and where the log goes on after it.
CREATE TABLE log_cut (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  place text NOT NULL,
  why text NOT NULL
);
CREATE TRIGGER log_cut_stays BEFORE UPDATE OR DELETE ON log_cut FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_cut_no_truncate BEFORE TRUNCATE ON log_cut EXECUTE FUNCTION deny_change();

CREATE TABLE cut_batch (
  cut_id bigint NOT NULL REFERENCES log_cut (id),
  id bigint NOT NULL,
  at bigint NOT NULL,
  data bytea NOT NULL,
  term bigint NOT NULL,
  PRIMARY KEY (cut_id, id)
);
CREATE TRIGGER cut_batch_stays BEFORE UPDATE OR DELETE ON cut_batch FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER cut_batch_no_truncate BEFORE TRUNCATE ON cut_batch EXECUTE FUNCTION deny_change();

CREATE TABLE cut_chunk (
  cut_id bigint NOT NULL REFERENCES log_cut (id),
  ix integer NOT NULL,
  seq0 bigint NOT NULL,
  seq1 bigint NOT NULL,
  at0 bigint NOT NULL,
  at1 bigint NOT NULL,
  hash_before bytea NOT NULL,
  hash_after bytea NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (cut_id, ix, seq0)
);
CREATE TRIGGER cut_chunk_stays BEFORE UPDATE OR DELETE ON cut_chunk FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER cut_chunk_no_truncate BEFORE TRUNCATE ON cut_chunk EXECUTE FUNCTION deny_change();

-- The head that was public before the cut: the chain of the product goes on after it, so that no number is used twice.
CREATE TABLE log_resume (
  cut_id bigint NOT NULL REFERENCES log_cut (id),
  ix integer NOT NULL REFERENCES feed_product (ix),
  seq bigint NOT NULL,
  at bigint NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (cut_id, ix)
);
CREATE TRIGGER log_resume_stays BEFORE UPDATE OR DELETE ON log_resume FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_resume_no_truncate BEFORE TRUNCATE ON log_resume EXECUTE FUNCTION deny_change();

-- How the orders stood that a gap or a change of source refunded: counted once, in the statement that settles them, and
-- only ever added to. A gap is named by its from_at, a source by its since_at; a gap may be counted before it has its
-- row.
CREATE TABLE refund_tally (
  product_id text NOT NULL,
  cause text NOT NULL CHECK (cause IN ('gap', 'source')),
  at bigint NOT NULL,
  ahead bigint NOT NULL CHECK (ahead >= 0),
  behind bigint NOT NULL CHECK (behind >= 0),
  level bigint NOT NULL CHECK (level >= 0),
  pnl bigint NOT NULL,
  PRIMARY KEY (product_id, cause, at)
);
CREATE TRIGGER refund_tally_stays BEFORE DELETE ON refund_tally FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER refund_tally_no_truncate BEFORE TRUNCATE ON refund_tally EXECUTE FUNCTION deny_change();

-- The public log: its leaves, the hashes of full tiles, and the newest signed checkpoints. A leaf follows the one
-- before it and is never changed, so that nobody can sign two trees of one size.
CREATE TABLE log_leaf (
  ix bigint PRIMARY KEY CHECK (ix >= 0),
  at bigint NOT NULL,
  data bytea NOT NULL
);
ALTER TABLE log_leaf ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX log_leaf_at ON log_leaf USING brin (at) WITH (pages_per_range = 8);
CREATE TRIGGER log_leaf_stays BEFORE UPDATE OR DELETE ON log_leaf FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_leaf_no_truncate BEFORE TRUNCATE ON log_leaf EXECUTE FUNCTION deny_change();

-- The root of each full tile: the hash of number ix at the level above it.
CREATE TABLE log_node (
  level integer NOT NULL CHECK (level > 0),
  ix bigint NOT NULL CHECK (ix >= 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (level, ix)
);
CREATE TRIGGER log_node_stays BEFORE UPDATE OR DELETE ON log_node FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_node_no_truncate BEFORE TRUNCATE ON log_node EXECUTE FUNCTION deny_change();

-- The newest checkpoint that the log signed, and the newest one that witnesses cosigned.
CREATE TABLE log_checkpoint (
  kind text PRIMARY KEY CHECK (kind IN ('signed', 'witnessed')),
  origin text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  at bigint NOT NULL,
  note text NOT NULL
);
CREATE TRIGGER log_checkpoint_no_truncate BEFORE TRUNCATE ON log_checkpoint EXECUTE FUNCTION deny_change();

-- The terms under which a product takes orders, from an instant on: the engine writes them from the product table, and
-- an order has those that are in force when it is accepted.
-- One row for each duration and change; the newest one that is not later than an instant applies to it. Amounts are in minor
-- units. A duration that is no longer offered keeps the terms it had.
CREATE TABLE product_terms (
  product_id text NOT NULL,
  seconds integer NOT NULL,
  since_at bigint NOT NULL,
  offered boolean NOT NULL,
  rate_bp integer NOT NULL,
  min_amount bigint NOT NULL,
  max_amount bigint NOT NULL,
  rule text NOT NULL,
  price_decimals integer NOT NULL,
  entry_timeout_ms integer NOT NULL,
  max_tick_gap_ms integer NOT NULL,
  entry_delay_ms integer, exit_window_ms integer, exit_cut_bp integer, exit_min_ticks integer,
  source text NOT NULL,
  PRIMARY KEY (product_id, seconds, since_at)
);
CREATE TRIGGER product_terms_append_only BEFORE UPDATE OR DELETE ON product_terms
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER product_terms_no_truncate BEFORE TRUNCATE ON product_terms EXECUTE FUNCTION deny_change();

CREATE FUNCTION refund_tally_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.product_id, NEW.cause, NEW.at) IS DISTINCT FROM (OLD.product_id, OLD.cause, OLD.at)
     OR NEW.ahead < OLD.ahead OR NEW.behind < OLD.behind OR NEW.level < OLD.level
     OR NEW.ahead + NEW.behind + NEW.level = OLD.ahead + OLD.behind + OLD.level THEN
    RAISE EXCEPTION 'a tally of refunds is only added to' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER refund_tally_guard BEFORE UPDATE ON refund_tally FOR EACH ROW EXECUTE FUNCTION refund_tally_guard();

CREATE FUNCTION log_leaf_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last record;
BEGIN
  SELECT ix, at INTO last FROM log_leaf ORDER BY ix DESC LIMIT 1;
  IF NEW.ix <> coalesce(last.ix + 1, 0) OR NEW.at <= coalesce(last.at, 0) THEN
    RAISE EXCEPTION 'a leaf of the log follows the newest one' USING ERRCODE = 'restrict_violation', TABLE = 'log_leaf';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER log_leaf_follows BEFORE INSERT ON log_leaf FOR EACH ROW EXECUTE FUNCTION log_leaf_follows();

-- Under one name a checkpoint gives way only to a larger tree, or to the same one with other signatures.
CREATE FUNCTION log_checkpoint_grows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.kind = OLD.kind AND (NEW.origin <> OLD.origin OR NEW.size > OLD.size OR (
    NEW.size = OLD.size AND split_part(NEW.note, E'\n\n', 1) = split_part(OLD.note, E'\n\n', 1))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a checkpoint of the log only grows' USING ERRCODE = 'restrict_violation', TABLE = 'log_checkpoint';
END
$$;
CREATE TRIGGER log_checkpoint_grows BEFORE UPDATE OR DELETE ON log_checkpoint
  FOR EACH ROW EXECUTE FUNCTION log_checkpoint_grows();

-- The database reads the log by itself: the blocks of a flush (the bytes of `server/market/log/batch.ts`), and the flush
-- that has a product's ticks of an instant. What results, gaps and chunks are checked with.

-- One row per product: its ticks from number "seq0" on, the hash after the last, and how far it is covered. A live
-- product has a row in every flush, also without ticks.
CREATE FUNCTION stored_flush_blocks(flush_at bigint, data bytea)
RETURNS TABLE (ix integer, watermark bigint, live boolean, seq0 bigint, ats bigint[], prices bigint[], hash bytea)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  p integer := 0;
  bytes CONSTANT integer := octet_length(data);
  b integer;
  v bigint;
  s integer;
  ticks bigint;
  price bigint;
  ids bigint;
  left_over bigint;
  run bigint;
  kind bigint;
BEGIN
  live := false;
  WHILE p < bytes LOOP
    v := 0; s := 0;
    LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
    IF v = 0 AND NOT live THEN
      live := true;
      CONTINUE;
    END IF;
    ix := v; watermark := flush_at; ats := '{}'; prices := '{}'; hash := NULL;
    IF live THEN
      b := get_byte(data, p); p := p + 1; v := b & 63;
      IF b >= 128 THEN
        s := 6; kind := b & 64;
        LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
        b := kind;
      END IF;
      watermark := flush_at - CASE WHEN b & 64 = 64 THEN -v ELSE v END;
    END IF;
    v := 0; s := 0;
    LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
    seq0 := v; ticks := 0; s := 0;
    LOOP b := get_byte(data, p); p := p + 1; ticks := ticks + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
    IF seq0 = 0 AND ticks = 0 THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    hash := substr(data, p + 1, 32); p := p + 32;
    price := 0;
    FOR i IN 1..ticks LOOP
      v := 0; s := 0;
      LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
      ats := ats || (watermark - v);
      b := get_byte(data, p); p := p + 1; v := b & 63; kind := b & 64;
      IF b >= 128 THEN
        s := 6;
        LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
      END IF;
      price := CASE WHEN kind = 64 THEN price - v ELSE price + v END;
      prices := prices || price;
      WHILE get_byte(data, p) >= 128 LOOP p := p + 1; END LOOP;
      p := p + 1;
    END LOOP;
    IF live THEN
      -- Where the ticks come from: runs of ids of one kind, the ids, then one delay for each id.
      ids := 0; left_over := ticks; kind := 0;
      DECLARE
        runs bigint[] := '{}';
        kinds bigint[] := '{}';
      BEGIN
        WHILE left_over > 0 LOOP
          run := 0; s := 0;
          LOOP b := get_byte(data, p); p := p + 1; run := run + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
          runs := runs || run; kinds := kinds || get_byte(data, p)::bigint; p := p + 1;
          left_over := left_over - run;
        END LOOP;
        FOR r IN 1..cardinality(runs) LOOP
          CONTINUE WHEN kinds[r] = 0;
          ids := ids + runs[r];
          FOR i IN 1..runs[r] LOOP
            v := 0; s := 0;
            LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
            IF kinds[r] = 2 THEN p := p + v::integer; END IF;
          END LOOP;
        END LOOP;
        FOR i IN 1..ids LOOP
          WHILE get_byte(data, p) >= 128 LOOP p := p + 1; END LOOP;
          p := p + 1;
        END LOOP;
      END;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

CREATE FUNCTION flush_blocks(flush_at bigint, data bytea)
RETURNS TABLE (ix integer, watermark bigint, live boolean, seq0 bigint, ats bigint[], prices bigint[], hash bytea)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT * FROM stored_flush_blocks(flush_at, data || ''::bytea) $$;

-- Until when a flush covers a product.
CREATE FUNCTION flush_watermark(flush_at bigint, data bytea, product integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT f.watermark FROM flush_blocks(flush_at, data) f WHERE f.ix = product AND f.live), flush_at)
$$;

-- The flush that has the ticks of an instant of a product: the first one that covers it. Null if none does yet, or any more.
CREATE FUNCTION flush_of(product integer, instant bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  flush record;
BEGIN
  IF NOT EXISTS (SELECT FROM feed_source WHERE ix = product AND fingerprint LIKE 'live:%') THEN
    RETURN (SELECT id FROM tick_batch WHERE at >= instant ORDER BY at, id LIMIT 1);
  END IF;
  FOR flush IN SELECT id, at, data FROM tick_batch WHERE at >= instant ORDER BY at, id LOOP
    IF flush_watermark(flush.at, flush.data, product) >= instant THEN RETURN flush.id; END IF;
  END LOOP;
  RETURN NULL;
END
$$;

CREATE FUNCTION tick_batch_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  newest record;
BEGIN
  IF NOT EXISTS (SELECT FROM lease WHERE term > 0) THEN RETURN NEW; END IF;
  SELECT id, at, term INTO newest FROM tick_batch ORDER BY id DESC LIMIT 1;
  IF NEW.id <> newest.id + 1 OR NEW.at < newest.at OR NEW.term <> (SELECT term FROM lease) THEN
    RAISE EXCEPTION 'a flush follows the newest one, in the term of who leads'
      USING ERRCODE = 'restrict_violation', TABLE = 'tick_batch';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER tick_batch_follows BEFORE INSERT ON tick_batch FOR EACH ROW EXECUTE FUNCTION tick_batch_follows();

-- Rows of a command that repairs the log: run roles cannot write log_cut.
CREATE FUNCTION log_is_being_cut() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM log_cut WHERE xmin = pg_current_xact_id_if_assigned()::xid)
$$;

-- A chunk goes on where the product's log ended, and ends at a head that a flush committed: its ticks have that hash, or no
-- check of the chain lets it pass.
CREATE FUNCTION tick_chunk_is_logged() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET jit = off AS $$
DECLARE
  before record;
BEGIN
  IF NOT venue_has_led() OR log_is_being_cut() THEN RETURN NEW; END IF;
  SELECT seq, hash INTO before FROM (
    (SELECT seq1 AS seq, hash_after AS hash FROM tick_chunk WHERE ix = NEW.ix ORDER BY seq0 DESC LIMIT 1)
    UNION ALL
    (SELECT seq, hash FROM log_resume WHERE ix = NEW.ix ORDER BY seq DESC LIMIT 1)
  ) ends ORDER BY seq DESC LIMIT 1;
  IF (before.seq IS NULL AND NEW.seq0 <> 1)
     OR (before.seq IS NOT NULL AND (NEW.seq0 <> before.seq + 1 OR NEW.hash_before <> before.hash))
     OR NOT EXISTS (
       SELECT FROM tick_batch t, flush_blocks(t.at, t.data) f
       WHERE t.id = flush_of(NEW.ix, NEW.at1) AND f.ix = NEW.ix AND f.hash = NEW.hash_after
         AND f.seq0 + cardinality(f.ats) - 1 = NEW.seq1 AND f.ats[cardinality(f.ats)] = NEW.at1) THEN
    RAISE EXCEPTION 'a chunk has what the flushes have'
      USING ERRCODE = 'restrict_violation', TABLE = 'tick_chunk';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER tick_chunk_is_logged BEFORE INSERT ON tick_chunk FOR EACH ROW EXECUTE FUNCTION tick_chunk_is_logged();

-- A key stands for its effect for a week at least, whatever a session says.
CREATE FUNCTION idempotency_is_old() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND OLD.created_at > coalesce((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1), 0) - 604800000 THEN
    RAISE EXCEPTION 'the answer of a keyed request stays for a week'
      USING ERRCODE = 'restrict_violation', TABLE = 'idempotency';
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER idempotency_is_old BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION idempotency_is_old();

CREATE FUNCTION feed_gaps_are_uncovered() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET jit = off AS $$
DECLARE
  newest record;
  previous record;
  gap record;
  latest bigint;
  -- A transaction that reads an old state does not know the newest flush.
  is_current CONSTANT boolean := current_setting('transaction_isolation') = 'read committed';
  soon CONSTANT bigint := 60000;
BEGIN
  IF NOT venue_has_led() OR log_is_being_cut() THEN RETURN NULL; END IF;
  SELECT id, at, data INTO newest FROM tick_batch ORDER BY id DESC LIMIT 1;
  SELECT id, at, data INTO previous FROM tick_batch WHERE id < newest.id ORDER BY id DESC LIMIT 1;
  latest := greatest(newest.at, extract(epoch FROM clock_timestamp()) * 1000) + soon;
  FOR gap IN
    WITH of_newest AS MATERIALIZED (
      SELECT f.* FROM flush_blocks(newest.at, newest.data) f WHERE EXISTS (SELECT FROM fresh)
    ), of_previous AS MATERIALIZED (
      SELECT f.ix, f.watermark FROM flush_blocks(previous.at, previous.data) f
      WHERE f.live AND EXISTS (SELECT FROM of_newest WHERE live)
    )
    SELECT g.* FROM fresh g LEFT JOIN of_newest n ON n.ix = g.ix LEFT JOIN of_previous p ON p.ix = g.ix
    -- Between the watermark before the newest flush and the one after it, where a computed feed has no ticks; or, at a
    -- start, from the newest one up to now.
    WHERE (is_current AND (g.from_at >= coalesce(p.watermark, previous.at, 0) AND g.to_at <= coalesce(n.watermark, newest.at)
        AND (n.live OR NOT EXISTS (SELECT FROM unnest(n.ats) AS tick (at) WHERE tick.at > g.from_at AND tick.at <= g.to_at))
      OR g.from_at >= coalesce(n.watermark, newest.at) AND g.to_at <= latest)) IS NOT TRUE
  LOOP
    -- A product that comes back: nothing of it was logged since.
    CONTINUE WHEN is_current AND gap.to_at <= latest AND EXISTS (SELECT FROM product_state s JOIN feed_product p ON p.id = s.id
        WHERE p.ix = gap.ix AND s.xmin = pg_current_xact_id()::xid)
      AND NOT EXISTS (SELECT FROM tick_chunk c WHERE c.ix = gap.ix AND c.at1 > gap.from_at)
      AND NOT EXISTS (SELECT FROM tick_batch t, flush_blocks(t.at, t.data) f
        WHERE t.at > gap.from_at AND f.ix = gap.ix AND f.hash IS NOT NULL);
    RAISE EXCEPTION 'a gap lies between what two flushes cover'
      USING ERRCODE = 'restrict_violation', TABLE = 'feed_gap';
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER feed_gaps_are_uncovered AFTER INSERT ON feed_gap REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION feed_gaps_are_uncovered();

-- Terms begin now or later, and after those before them.
CREATE FUNCTION product_terms_are_new() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM product_terms t
      WHERE t.product_id = NEW.product_id AND t.seconds = NEW.seconds AND t.since_at >= NEW.since_at)
     OR (venue_has_led() AND (current_setting('transaction_isolation') <> 'read committed'
       OR NEW.since_at < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1))) THEN
    RAISE EXCEPTION 'the terms of a product change from now on'
      USING ERRCODE = 'restrict_violation', TABLE = 'product_terms';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER product_terms_are_new BEFORE INSERT ON product_terms
  FOR EACH ROW EXECUTE FUNCTION product_terms_are_new();

CREATE FUNCTION operator_setting_is_new() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM operator_setting s WHERE s.key = NEW.key AND s.since_at >= NEW.since_at)
     OR (venue_has_led() AND NEW.since_at < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1)) THEN
    RAISE EXCEPTION 'what the operator sets changes from now on'
      USING ERRCODE = 'restrict_violation', TABLE = 'operator_setting';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER operator_setting_is_new BEFORE INSERT ON operator_setting
  FOR EACH ROW EXECUTE FUNCTION operator_setting_is_new();
