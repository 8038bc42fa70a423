/**
 * Results while the newest flush, or the watermark of a live product, is older than the close: the mean of rule R2 in a
 * refund is compared with the ticks that there are, which was refused after a downtime until the log had caught up, and for a
 * source that stayed away until it came back.
 */
export const resultsBehindLog = {
  id: 179,
  name: 'results behind the log',
  sql: `
-- By the database's clock or that of the leader, whose time is in its flushes: it writes one each second at least.
CREATE FUNCTION five_minutes_passed(close_at bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT close_at + 300000 <= 2000 + greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

-- As before, except what the means of rule R2 are compared with.
CREATE OR REPLACE FUNCTION orders_follow_log() RETURNS trigger LANGUAGE plpgsql
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

-- As before, except that a leader whose clock is ahead of the database's is not refused at the end of the five minutes.
CREATE OR REPLACE FUNCTION orders_results_are_whole() RETURNS trigger LANGUAGE plpgsql
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
`,
} as const
