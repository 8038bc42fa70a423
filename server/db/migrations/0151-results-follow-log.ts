/**
 * Deletes ticks and checks what it deletes. The functions set `uptick.prune` themselves: as a setting of the function only a
 * superuser may create it, so that no other owner of a database could be migrated.
 */
export const logDeletions = `
-- Deletes flushes whose ticks are all in chunks, oldest first; the ticks of open orders stay, since results are checked
-- with them. Returns the number of the first flush that is left to delete.
CREATE OR REPLACE FUNCTION compact_flushes(below bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET jit = off AS $$
DECLARE
  flush record;
  open_from bigint := (SELECT min(accepted_at) FROM orders WHERE settled_at IS NULL);
  last bigint;
  most CONSTANT integer := 100;
BEGIN
  FOR flush IN SELECT id, at, data FROM tick_batch
    WHERE id < least(below, (SELECT max(id) FROM tick_batch)) ORDER BY id LIMIT most LOOP
    EXIT WHEN flush.at >= open_from;
    EXIT WHEN venue_has_led() AND EXISTS (
      SELECT FROM flush_blocks(flush.at, flush.data) f
      WHERE f.hash IS NOT NULL AND f.seq0 + cardinality(f.ats) - 1 > coalesce(
        (SELECT seq1 FROM tick_chunk c WHERE c.ix = f.ix ORDER BY seq0 DESC LIMIT 1), 0));
    last := flush.id;
  END LOOP;
  PERFORM set_config('uptick.prune', 'on', true);
  DELETE FROM tick_batch WHERE id <= last;
  PERFORM set_config('uptick.prune', 'off', true);
  RETURN (SELECT min(id) FROM tick_batch);
END
$$;

-- Deletes old chunks, never a product's newest, nor one that an open order or a younger hour may need.
CREATE OR REPLACE FUNCTION prune_chunks(product integer, firsts bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT set_config('uptick.prune', 'on', true);
  DELETE FROM tick_chunk c WHERE c.ix = product AND c.seq0 = ANY (firsts)
    AND c.seq0 < (SELECT max(seq0) FROM tick_chunk n WHERE n.ix = product)
    AND (NOT venue_has_led() OR c.at1 < least((SELECT max(at) FROM tick_batch) - 3600000,
      (SELECT min(accepted_at) FROM orders WHERE settled_at IS NULL)));
  SELECT set_config('uptick.prune', 'off', true)
$$;
`

/**
 * What the log says decides: a flush follows the newest one, a gap lies between what two flushes cover, a chunk ends at a
 * head of the log, and an order's entry and exit are ticks of it. Holds for every role, from the first term on.
 */
export const resultsFollowLog = {
  id: 151,
  name: 'results follow the log',
  // With the setting as one of the functions, which migration 178 replaces.
  formerly: '74bb868d426263326904412fd334d1f6b2d568b86ac00863c355509554ae9fdc',
  sql: `
CREATE FUNCTION tick_batch_follows() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- At the commit: a start may write the gap before the flush that ends it.
CREATE FUNCTION feed_gap_is_uncovered() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
  previous record;
  soon CONSTANT bigint := 60000;
BEGIN
  IF NOT venue_has_led() OR log_is_being_cut() THEN RETURN NULL; END IF;
  SELECT id, at, data INTO newest FROM tick_batch ORDER BY id DESC LIMIT 1;
  SELECT id, at, data INTO previous FROM tick_batch WHERE id < newest.id ORDER BY id DESC LIMIT 1;
  -- Between the watermark before the newest flush and the one after it; or, at a start, from the newest one up to now.
  IF NEW.from_at >= coalesce(flush_watermark(previous.at, previous.data, NEW.ix), 0)
     AND NEW.to_at <= flush_watermark(newest.at, newest.data, NEW.ix) THEN RETURN NULL; END IF;
  IF NEW.from_at >= flush_watermark(newest.at, newest.data, NEW.ix)
     AND NEW.to_at <= greatest(newest.at, extract(epoch FROM clock_timestamp()) * 1000) + soon THEN RETURN NULL; END IF;
  -- A product that comes back: nothing of it was logged since.
  IF NEW.to_at <= greatest(newest.at, extract(epoch FROM clock_timestamp()) * 1000) + soon
     AND EXISTS (SELECT FROM product_state s JOIN feed_product p ON p.id = s.id
       WHERE p.ix = NEW.ix AND s.xmin = pg_current_xact_id()::xid)
     AND NOT EXISTS (SELECT FROM tick_chunk c WHERE c.ix = NEW.ix AND c.at1 > NEW.from_at)
     AND NOT EXISTS (SELECT FROM tick_batch t, flush_blocks(t.at, t.data) f
       WHERE t.at > NEW.from_at AND f.ix = NEW.ix AND f.hash IS NOT NULL) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'a gap lies between what two flushes cover'
    USING ERRCODE = 'restrict_violation', TABLE = 'feed_gap';
END
$$;
CREATE CONSTRAINT TRIGGER feed_gap_is_uncovered AFTER INSERT ON feed_gap DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION feed_gap_is_uncovered();

-- A chunk goes on where the product's log ended, and ends at a head that a flush committed: its ticks have that hash, or no
-- check of the chain lets it pass.
CREATE FUNCTION tick_chunk_is_logged() RETURNS trigger LANGUAGE plpgsql AS $$
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

${logDeletions}
-- Entries and exits that became part of orders in one statement: each is a tick of the log. The first change of an order
-- stores its entry or settles it, so that an entry is new in version 2 alone; it is not compared with the old rows, because
-- a plan that was made for few rows would compare each with each.
CREATE FUNCTION orders_follow_log() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  wrong text;
BEGIN
  -- As venue_has_led(), whose call would cost as much as the rest.
  IF NOT EXISTS (SELECT FROM lease WHERE term > 0) THEN RETURN NULL; END IF;
  SELECT id INTO wrong FROM fresh WHERE status = 'accepted' LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'an accepted order changes by its entry or its result: order %', wrong
      USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  WITH named AS MATERIALIZED (
    SELECT tick.*, p.ix, flush_of(p.ix, tick.at) AS flush_id FROM (
      SELECT min(id) AS id, product_id, entry_seq AS seq, entry_at AS at, entry_price AS price FROM fresh
        WHERE version = 2 AND entry_seq IS NOT NULL GROUP BY product_id, entry_seq, entry_at, entry_price
      UNION ALL SELECT min(id), product_id, exit_seq, exit_at, exit_price FROM fresh
        WHERE exit_seq IS NOT NULL GROUP BY product_id, exit_seq, exit_at, exit_price
    ) tick LEFT JOIN feed_product p ON p.id = tick.product_id
  ), logged AS MATERIALIZED (
    SELECT t.id AS flush_id, f.ix, f.seq0, f.ats, f.prices
    FROM (SELECT DISTINCT flush_id FROM named) d JOIN tick_batch t ON t.id = d.flush_id, flush_blocks(t.at, t.data) f
    WHERE f.ix IN (SELECT ix FROM named)
  )
  SELECT n.id INTO wrong FROM named n LEFT JOIN logged l ON l.flush_id = n.flush_id AND l.ix = n.ix
  WHERE (l.ats[n.seq - l.seq0 + 1], l.prices[n.seq - l.seq0 + 1]) IS DISTINCT FROM (n.at, n.price)
  LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'the log has no such tick: order %', wrong USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  -- Rule R2: the mean of the window's ticks without the highest and lowest, or of the newest ones if they are too few.
  -- Each flush is read once for all orders.
  WITH asked AS MATERIALIZED (
    SELECT n.*, p.ix FROM fresh n LEFT JOIN feed_product p ON p.id = n.product_id
    WHERE n.exit_ticks IS NOT NULL AND n.reason IS DISTINCT FROM 'SOURCE_CHANGED'
  ), span AS MATERIALIZED (
    SELECT min(first) AS first, max(last) AS last FROM (
      SELECT min(close_at - greatest(exit_window_ms, max_tick_gap_ms)) AS first, flush_of(ix, max(close_at)) AS last
      FROM asked GROUP BY ix) of_product
  ), known AS MATERIALIZED (
    SELECT f.ix, f.seq0 + tick.n - 1 AS seq, tick.at, tick.price
    FROM span JOIN tick_batch t ON t.at >= span.first AND t.id <= span.last, flush_blocks(t.at, t.data) f,
      unnest(f.ats, f.prices) WITH ORDINALITY AS tick (at, price, n)
    WHERE f.ix IN (SELECT ix FROM asked)
  )
  SELECT o.id INTO wrong FROM asked o WHERE NOT EXISTS (
    WITH of_order AS MATERIALIZED (
      SELECT seq, at, price FROM known k WHERE k.ix = o.ix AND k.at <= o.close_at
        AND k.at >= o.close_at - greatest(o.exit_window_ms, o.max_tick_gap_ms)
    ), in_window AS (
      SELECT *, row_number() OVER (ORDER BY price, seq) AS place, count(*) OVER () AS ticks
      FROM of_order WHERE at > o.close_at - o.exit_window_ms
    ), newest AS (
      SELECT * FROM (
        SELECT * FROM of_order WHERE seq > o.entry_seq ORDER BY seq DESC LIMIT o.exit_min_ticks) n
      WHERE o.close_at - at <= o.max_tick_gap_ms
    ), means AS (
      SELECT sum(price) FILTER (WHERE place > ticks * o.exit_cut_bp / 10000 AND place <= ticks - ticks * o.exit_cut_bp / 10000)
          AS total, max(ticks) - 2 * (max(ticks) * o.exit_cut_bp / 10000) AS ticks, min(seq) AS first, max(seq) AS last
        FROM in_window HAVING count(*) >= o.exit_min_ticks
      UNION ALL SELECT sum(price), count(*), min(seq), max(seq) FROM newest
        WHERE (SELECT count(*) FROM in_window) < o.exit_min_ticks
    )
    SELECT FROM means
    WHERE total = o.exit_sum AND ticks = o.exit_ticks AND first = o.exit_from AND last = o.exit_to
  ) LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'the log gives another mean: order %', wrong USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  SELECT n.id INTO wrong FROM fresh n
  WHERE n.status = 'refunded' AND NOT refund_has_reason(ROW(n.*)::orders) LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a refund without its reason: order %', wrong USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  RETURN NULL;
END
$$;

-- A gap that overlaps the order, or 300 s without prices; another source; no tick that could be entry or exit.
CREATE FUNCTION refund_has_reason(o orders) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE o.reason
    WHEN 'FEED_DOWN' THEN o.settled_at >= o.close_at + 300000 OR EXISTS (
      SELECT FROM feed_gap g JOIN feed_product p ON p.ix = g.ix
      WHERE p.id = o.product_id AND g.from_at < o.close_at AND g.to_at > o.accepted_at)
    WHEN 'SOURCE_CHANGED' THEN EXISTS (
      SELECT FROM feed_source s JOIN feed_product p ON p.ix = s.ix
      WHERE p.id = o.product_id AND s.fingerprint <> o.source AND s.since_at < o.close_at)
    WHEN 'NO_ENTRY' THEN o.entry_seq IS NULL
    WHEN 'ONE_TICK' THEN o.entry_seq IS NOT NULL AND o.exit_ticks IS NULL AND coalesce(o.exit_seq = o.entry_seq, true)
    ELSE o.entry_seq IS NOT NULL AND o.exit_ticks IS NULL AND coalesce(o.close_at - o.exit_at > o.max_tick_gap_ms, true)
  END
$$;
CREATE TRIGGER orders_follow_log AFTER UPDATE ON orders REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION orders_follow_log();
`,
} as const
