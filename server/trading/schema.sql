-- Orders. Terms and stake never change, a final row never changes, a row never goes, and a result that the row's own
-- prices and rate do not give is refused for every writer.
CREATE TABLE orders (
  id text PRIMARY KEY,
  no text NOT NULL CONSTRAINT orders_no_unique UNIQUE,
  member_id text NOT NULL,
  key text NOT NULL,
  product_id text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('up', 'down')),
  amount bigint NOT NULL CHECK (amount > 0),
  seconds integer NOT NULL CHECK (seconds > 0),
  rate_bp integer NOT NULL CHECK (rate_bp >= 0),
  rule text NOT NULL,
  price_decimals integer NOT NULL,
  entry_timeout_ms integer NOT NULL,
  max_tick_gap_ms integer NOT NULL,
  accepted_at bigint NOT NULL,
  valid_until bigint NOT NULL,
  close_at bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('accepted', 'open', 'won', 'lost', 'tied', 'refunded')),
  entry_seq bigint, entry_at bigint, entry_price bigint,
  exit_seq bigint, exit_at bigint, exit_price bigint,
  settled_at bigint,
  payout bigint,
  reason text CHECK (reason IN ('SOURCE_CHANGED', 'FEED_DOWN', 'NO_ENTRY', 'ONE_TICK', 'STALE_EXIT')),
  version integer NOT NULL DEFAULT 1,
  -- The fingerprint of the product's source.
  source text NOT NULL,
  -- Rule R2: further terms, and the exit as a mean instead of a tick. The mean is stored rounded, as it was shown.
  entry_delay_ms integer, exit_window_ms integer, exit_cut_bp integer, exit_min_ticks integer,
  exit_value numeric, exit_sum numeric, exit_ticks integer, exit_from bigint, exit_to bigint,
  -- What the receipt of an order has besides its terms, so that it can be signed again alike.
  head_seq bigint, head_hash bytea, log_origin text,
  CONSTRAINT orders_key_unique UNIQUE (member_id, key),
  CONSTRAINT orders_in_time CHECK (accepted_at <= valid_until),
  CONSTRAINT orders_close CHECK (close_at = accepted_at + seconds * 1000::bigint),
  CONSTRAINT orders_entry CHECK (
    (entry_seq IS NULL) = (entry_at IS NULL) AND (entry_seq IS NULL) = (entry_price IS NULL)
    AND (entry_at IS NULL OR (entry_at > accepted_at + coalesce(entry_delay_ms, 0)
      AND entry_at <= least(accepted_at + coalesce(entry_delay_ms, 0) + entry_timeout_ms, close_at)))),
  CONSTRAINT orders_exit CHECK (
    (exit_seq IS NULL) = (exit_at IS NULL) AND (exit_seq IS NULL) = (exit_price IS NULL)
    AND (exit_seq IS NULL OR (entry_seq IS NOT NULL AND exit_seq >= entry_seq AND exit_at <= close_at))),
  CONSTRAINT orders_result CHECK (CASE status
    WHEN 'accepted' THEN entry_seq IS NULL AND exit_seq IS NULL AND exit_sum IS NULL AND settled_at IS NULL
      AND payout IS NULL AND reason IS NULL
    WHEN 'open' THEN entry_seq IS NOT NULL AND exit_seq IS NULL AND exit_sum IS NULL AND settled_at IS NULL
      AND payout IS NULL AND reason IS NULL
    WHEN 'refunded' THEN settled_at IS NOT NULL AND payout IS NOT DISTINCT FROM amount AND reason IS NOT NULL
    ELSE settled_at IS NOT NULL AND reason IS NULL
      AND CASE rule WHEN 'R2' THEN exit_to > entry_seq ELSE exit_seq > entry_seq END
      AND CASE status
      WHEN 'tied' THEN
        CASE rule WHEN 'R2' THEN exit_sum = entry_price::numeric * exit_ticks ELSE exit_price = entry_price END
        AND payout IS NOT DISTINCT FROM amount
      WHEN 'won' THEN
        CASE rule WHEN 'R2' THEN sign(exit_sum - entry_price::numeric * exit_ticks)
          ELSE sign((exit_price - entry_price)::numeric) END = CASE direction WHEN 'up' THEN 1 ELSE -1 END
        AND payout IS NOT DISTINCT FROM amount + amount * rate_bp / 10000
      ELSE
        CASE rule WHEN 'R2' THEN sign(exit_sum - entry_price::numeric * exit_ticks)
          ELSE sign((exit_price - entry_price)::numeric) END = CASE direction WHEN 'up' THEN -1 ELSE 1 END
        AND payout IS NOT DISTINCT FROM 0::bigint
      END
    END IS TRUE),
  CONSTRAINT orders_rule CHECK (CASE WHEN rule = 'R2'
    THEN entry_delay_ms >= 0 AND exit_window_ms > 0 AND exit_cut_bp >= 0 AND exit_cut_bp < 5000 AND exit_min_ticks > 0
    ELSE num_nonnulls(entry_delay_ms, exit_window_ms, exit_cut_bp, exit_min_ticks) = 0 END IS TRUE),
  CONSTRAINT orders_mean CHECK (CASE WHEN num_nonnulls(exit_value, exit_sum, exit_ticks, exit_from, exit_to) = 0
    THEN true
    ELSE rule = 'R2' AND entry_seq IS NOT NULL AND exit_seq IS NULL AND exit_ticks > 0 AND exit_from <= exit_to
      AND exit_sum = trunc(exit_sum) AND exit_value = div(exit_sum * 20 + exit_ticks, exit_ticks * 2::numeric)
    END IS TRUE),
  CONSTRAINT orders_head CHECK (
    (head_seq IS NULL) = (head_hash IS NULL) AND (head_seq IS NULL OR (head_seq >= 0 AND length(head_hash) = 32)))
) WITH (fillfactor = 85);
CREATE INDEX orders_of_member ON orders (member_id, accepted_at DESC, id DESC);
-- No index looks at status or entry: storing an entry stays within the row's page and touches none.
CREATE INDEX orders_unsettled ON orders (close_at) WHERE settled_at IS NULL;
CREATE INDEX orders_by_time ON orders USING brin (accepted_at);
CREATE INDEX orders_closed ON orders (member_id, settled_at DESC, id DESC) WHERE settled_at IS NOT NULL;
CREATE TRIGGER orders_stay BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER orders_no_truncate BEFORE TRUNCATE ON orders EXECUTE FUNCTION deny_change();

-- Orders whose result is final and not yet told to their members: one row of each statement that settled some.
CREATE TABLE result_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_ids jsonb NOT NULL
);

-- How the orders of a product ended, by day in UTC: counted in the statement that settles them, and only ever added to.
-- The status page reads these rows and no order.
CREATE TABLE outcome_tally (
  product_id text NOT NULL,
  day integer NOT NULL,
  won bigint NOT NULL CHECK (won >= 0),
  lost bigint NOT NULL CHECK (lost >= 0),
  tied bigint NOT NULL CHECK (tied >= 0),
  refunded bigint NOT NULL CHECK (refunded >= 0),
  rate_sum bigint NOT NULL CHECK (rate_sum >= 0),
  PRIMARY KEY (day, product_id)
);
CREATE TRIGGER outcome_tally_stays BEFORE DELETE ON outcome_tally FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER outcome_tally_no_truncate BEFORE TRUNCATE ON outcome_tally EXECUTE FUNCTION deny_change();

-- Prices at which members want to be notified: a row waits, and goes when it is reached, or its member removes it.
CREATE TABLE price_alert (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES member (id),
  product_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('above', 'below', 'crossing')),
  -- Whether the price has to rise to it.
  rises boolean NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  price_decimals integer NOT NULL,
  created_at bigint NOT NULL,
  -- The product's newest tick then: later ones count.
  after_seq bigint NOT NULL,
  -- Whether it is judged as far as price_alert_progress says; before, no tick since after_seq counts as judged.
  joined boolean NOT NULL DEFAULT false,
  CONSTRAINT price_alert_direction CHECK (kind = 'crossing' OR rises = (kind = 'above'))
);
CREATE INDEX price_alert_of_member ON price_alert (member_id, no DESC);
CREATE INDEX price_alert_new ON price_alert (no) WHERE NOT joined;

-- The newest tick of a product that its joined alerts were judged by.
CREATE TABLE price_alert_progress (
  product_id text PRIMARY KEY,
  seq bigint NOT NULL
);

CREATE FUNCTION orders_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'accepted' OR NEW.version <> 1 THEN
      RAISE EXCEPTION 'an order begins as accepted' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status NOT IN ('accepted', 'open') THEN
    RAISE EXCEPTION 'a final order never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.id, NEW.no, NEW.member_id, NEW.key, NEW.product_id, NEW.direction, NEW.amount, NEW.seconds, NEW.rate_bp,
      NEW.rule, NEW.price_decimals, NEW.entry_timeout_ms, NEW.max_tick_gap_ms, NEW.accepted_at, NEW.valid_until,
      NEW.close_at)
     IS DISTINCT FROM
     (OLD.id, OLD.no, OLD.member_id, OLD.key, OLD.product_id, OLD.direction, OLD.amount, OLD.seconds, OLD.rate_bp,
      OLD.rule, OLD.price_decimals, OLD.entry_timeout_ms, OLD.max_tick_gap_ms, OLD.accepted_at, OLD.valid_until,
      OLD.close_at) THEN
    RAISE EXCEPTION 'the terms of an order never change' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.entry_seq IS NOT NULL AND (NEW.entry_seq, NEW.entry_at, NEW.entry_price)
     IS DISTINCT FROM (OLD.entry_seq, OLD.entry_at, OLD.entry_price) THEN
    RAISE EXCEPTION 'the entry of an order never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'each change of an order is one version' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER orders_guard BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_guard();

CREATE FUNCTION orders_source_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.source, NEW.entry_delay_ms, NEW.exit_window_ms, NEW.exit_cut_bp, NEW.exit_min_ticks,
      NEW.head_seq, NEW.head_hash, NEW.log_origin)
     IS DISTINCT FROM (OLD.source, OLD.entry_delay_ms, OLD.exit_window_ms, OLD.exit_cut_bp, OLD.exit_min_ticks,
      OLD.head_seq, OLD.head_hash, OLD.log_origin) THEN
    RAISE EXCEPTION 'the terms of an order never change' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER orders_source_guard BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_source_guard();

CREATE FUNCTION outcome_tally_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.product_id, NEW.day) IS DISTINCT FROM (OLD.product_id, OLD.day) OR NEW.won < OLD.won OR NEW.lost < OLD.lost
     OR NEW.tied < OLD.tied OR NEW.refunded < OLD.refunded OR NEW.rate_sum < OLD.rate_sum THEN
    RAISE EXCEPTION 'a tally of outcomes is only added to' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER outcome_tally_guard BEFORE UPDATE ON outcome_tally FOR EACH ROW EXECUTE FUNCTION outcome_tally_guard();

-- The two functions that delete ticks set `uptick.prune` themselves: as a setting of the function only a superuser may
-- create it.

-- Deletes flushes whose ticks are all in chunks, oldest first; the ticks of open orders stay, since results are checked
-- with them. Returns the number of the first flush that is left to delete.
CREATE FUNCTION compact_flushes(below bigint) RETURNS bigint
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
CREATE FUNCTION prune_chunks(product integer, firsts bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT set_config('uptick.prune', 'on', true);
  DELETE FROM tick_chunk c WHERE c.ix = product AND c.seq0 = ANY (firsts)
    AND c.seq0 < (SELECT max(seq0) FROM tick_chunk n WHERE n.ix = product)
    AND (NOT venue_has_led() OR c.at1 < least((SELECT max(at) FROM tick_batch) - 3600000,
      (SELECT min(accepted_at) FROM orders WHERE settled_at IS NULL)));
  SELECT set_config('uptick.prune', 'off', true)
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

-- By the database's clock or that of the leader, whose time is in its flushes: it writes one each second at least.
CREATE FUNCTION five_minutes_passed(close_at bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT close_at + 300000 <= 2000 + greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

-- Entries and exits that became part of orders in one statement: each is a tick of the log. The first change of an order
-- stores its entry or settles it, so that an entry is new in version 2 alone; it is not compared with the old rows, because
-- a plan that was made for few rows would compare each with each.
CREATE FUNCTION orders_follow_log() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off SET jit = off AS $$
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
  ), newest_flush AS MATERIALIZED (
    SELECT at, data FROM tick_batch WHERE EXISTS (SELECT FROM asked) ORDER BY id DESC LIMIT 1
  ), live AS MATERIALIZED (
    SELECT f.ix, f.watermark FROM newest_flush t, flush_blocks(t.at, t.data) f WHERE f.live
  ), covered AS MATERIALIZED (
    SELECT of_product.*, t.at, coalesce(live.watermark, t.at) AS watermark FROM (
      SELECT ix, min(close_at - greatest(exit_window_ms, max_tick_gap_ms)) AS first, max(close_at) AS close_at
      FROM asked GROUP BY ix) of_product CROSS JOIN newest_flush t LEFT JOIN live ON live.ix = of_product.ix
  ), span AS MATERIALIZED (
    -- No tick of a product is newer than its watermark, nor than the newest flush, whichever of them is ahead.
    SELECT min(first) AS first, max(flush_of(ix, least(close_at, watermark, at))) AS last FROM covered
  ), known AS MATERIALIZED (
    SELECT f.ix, f.seq0 + tick.n - 1 AS seq, tick.at, tick.price
    FROM span JOIN tick_batch t ON t.at >= span.first AND t.id <= span.last, flush_blocks(t.at, t.data) f,
      unnest(f.ats, f.prices) WITH ORDINALITY AS tick (at, price, n)
    WHERE f.ix IN (SELECT ix FROM asked)
  )
  -- The log has all ticks up to the close: it is covered, or in a gap that begins where the watermark was, or nobody waits
  -- for more. Who won is decided by the first alone, which another trigger checks.
  SELECT o.id INTO wrong FROM asked o LEFT JOIN covered c ON c.ix = o.ix
  WHERE (o.close_at <= c.watermark
    OR EXISTS (SELECT FROM feed_gap g WHERE g.ix = o.ix AND g.from_at < o.close_at AND g.to_at >= o.close_at)
    OR five_minutes_passed(o.close_at)
  ) IS NOT TRUE OR NOT EXISTS (
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
CREATE TRIGGER orders_follow_log AFTER UPDATE ON orders REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION orders_follow_log();

-- Stakes and results: the order was written by the same statement, so its money moves once, also over savepoints.
-- A plan is made at the first rows and stays: it must fit tables that have grown, so no scan of a whole table.
CREATE FUNCTION postings_have_orders() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  command cid;
  wrong record;
BEGIN
  -- As venue_has_led(), whose call would cost as much as the rest.
  IF NOT EXISTS (SELECT FROM lease WHERE term > 0) THEN RETURN NULL; END IF;
  SELECT w.cmin INTO command FROM (
    SELECT member_id, id FROM fresh WHERE type IN ('stake', 'payout', 'refund') LIMIT 1
  ) f JOIN posting w ON w.member_id = f.member_id AND w.id = f.id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT p.member_id, p.id INTO wrong FROM fresh p LEFT JOIN orders o ON o.id = p.ref_id
  WHERE p.type IN ('stake', 'payout', 'refund')
    AND (p.ref_kind = 'order' AND o.member_id = p.member_id AND o.xmin = pg_current_xact_id()::xid AND o.cmin = command
      AND p.held = 0 AND p.fund = 0 AND p.grants = 0 AND p.external = 0
      AND CASE WHEN p.type = 'stake'
        THEN o.version = 1 AND (p.amount, p.available, p.stakes, p.house, p.pnl) = (-o.amount, -o.amount, o.amount, 0, 0)
        ELSE o.settled_at = p.at AND (o.status = 'refunded') = (p.type = 'refund')
          AND (p.amount, p.available, p.stakes, p.house, p.pnl)
            = (o.payout, o.payout, -o.amount, o.amount - o.payout, o.payout - o.amount) END) IS NOT TRUE
  LIMIT 1;
  IF wrong.id IS NULL THEN
    SELECT min(member_id) AS member_id, min(id) AS id INTO wrong FROM fresh WHERE type IN ('stake', 'payout', 'refund')
    GROUP BY ref_id HAVING count(*) > 1 LIMIT 1;
  END IF;
  IF wrong.id IS NOT NULL THEN
    RAISE EXCEPTION 'no order stands behind posting % of member %', wrong.id, wrong.member_id
      USING ERRCODE = 'restrict_violation', TABLE = 'posting';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER postings_have_orders AFTER INSERT ON posting REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION postings_have_orders();

-- Each order moves its money in its own statement. What the postings are is checked with them, so counting is enough: the
-- newest postings of a member that this command wrote are as many as the member's orders in it.
CREATE FUNCTION unposted_order(members text[], counts bigint[], command cid, kinds text[]) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT m.id FROM unnest(members, counts) AS m (id, orders) LEFT JOIN balance b ON b.member_id = m.id
  WHERE m.orders IS DISTINCT FROM (SELECT count(*) FROM posting p
    WHERE p.member_id = m.id AND p.id > b.version - m.orders AND p.id <= b.version AND p.type = ANY (kinds)
      AND p.xmin = pg_current_xact_id()::xid AND p.cmin = command)
  LIMIT 1
$$;

-- Stable: it sees the flushes that there were when the statement began.
CREATE FUNCTION orders_are_new() RETURNS trigger LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM lease WHERE term > 0)
     AND (SELECT min(accepted_at) FROM fresh) < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) THEN
    RAISE EXCEPTION 'a flush is newer than an order' USING ERRCODE = 'UT002', TABLE = 'orders';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_are_new AFTER INSERT ON orders REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION orders_are_new();

-- Each order has the terms of its product, one look-up in the key's index for each, and its stake.
CREATE FUNCTION orders_are_staked() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  wrong text;
BEGIN
  IF NOT EXISTS (SELECT FROM fresh) OR NOT EXISTS (SELECT FROM lease WHERE term > 0) THEN RETURN NULL; END IF;
  -- Nor does a slow statement, or a transaction that reads an old state, place an order in the past.
  IF current_setting('transaction_isolation') <> 'read committed'
     OR (SELECT min(accepted_at) FROM fresh) < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) - 1000 THEN
    RAISE EXCEPTION 'a flush is newer than an order' USING ERRCODE = 'UT002', TABLE = 'orders';
  END IF;
  SELECT f.id INTO wrong FROM fresh f WHERE (
    SELECT t.offered AND f.amount BETWEEN t.min_amount AND t.max_amount
      AND (t.rate_bp, t.rule, t.price_decimals, t.entry_timeout_ms, t.max_tick_gap_ms, t.source)
        = (f.rate_bp, f.rule, f.price_decimals, f.entry_timeout_ms, f.max_tick_gap_ms, f.source)
      AND (t.entry_delay_ms, t.exit_window_ms, t.exit_cut_bp, t.exit_min_ticks)
        IS NOT DISTINCT FROM (f.entry_delay_ms, f.exit_window_ms, f.exit_cut_bp, f.exit_min_ticks)
    FROM product_terms t WHERE t.product_id = f.product_id AND t.seconds = f.seconds AND t.since_at <= f.accepted_at
    ORDER BY t.since_at DESC LIMIT 1) IS NOT TRUE LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'order % has other terms than its product', wrong
      USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  SELECT unposted_order(array_agg(f.member_id), array_agg(f.orders), (SELECT cmin FROM orders WHERE id = min(f.id)), '{stake}')
    INTO wrong FROM (SELECT member_id, count(*) AS orders, min(id) AS id FROM fresh GROUP BY member_id) f;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'an order of member % without its stake', wrong
      USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_are_staked AFTER INSERT ON orders REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION orders_are_staked();

-- A result comes once the log has reached the close, or the wait for prices is over, and with its posting.
CREATE FUNCTION orders_results_are_whole() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  wrong text;
BEGIN
  IF NOT EXISTS (SELECT FROM fresh WHERE settled_at IS NOT NULL) OR NOT EXISTS (SELECT FROM lease WHERE term > 0) THEN
    RETURN NULL;
  END IF;
  SELECT f.id INTO wrong FROM (
    SELECT product_id, max(close_at) AS close_at, min(id) AS id FROM fresh
    WHERE status IN ('won', 'lost', 'tied') GROUP BY product_id
  ) f LEFT JOIN feed_product p ON p.id = f.product_id
  WHERE flush_of(p.ix, f.close_at) IS NULL LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'the log has not reached the close of order %', wrong
      USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  SELECT id INTO wrong FROM fresh
  WHERE reason = 'FEED_DOWN' AND NOT five_minutes_passed(close_at)
    AND NOT EXISTS (SELECT FROM feed_gap g JOIN feed_product p ON p.ix = g.ix
      WHERE p.id = fresh.product_id AND g.from_at < fresh.close_at AND g.to_at > fresh.accepted_at)
  LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'the five minutes of order % have not passed', wrong
      USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  SELECT unposted_order(array_agg(f.member_id), array_agg(f.orders), (SELECT cmin FROM orders WHERE id = min(f.id)),
      '{payout,refund}')
    INTO wrong FROM (SELECT member_id, count(*) AS orders, min(id) AS id FROM fresh WHERE settled_at IS NOT NULL
      GROUP BY member_id) f;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a result of member % without its posting', wrong
      USING ERRCODE = 'restrict_violation', TABLE = 'orders';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_results_are_whole AFTER UPDATE ON orders REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION orders_results_are_whole();
