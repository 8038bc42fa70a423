/**
 * Flushes are read from memory, and once for all gaps of a statement: with thousands of products each reading took a second
 * on PostgreSQL, and each gap took two of them.
 */
export const flushesReadOnce = {
  id: 156,
  name: 'flushes read once',
  sql: `
-- Each get_byte of a value that is stored outside its row fetches all of it again; the concatenation is in memory.
ALTER FUNCTION flush_blocks(bigint, bytea) RENAME TO stored_flush_blocks;
CREATE FUNCTION flush_blocks(flush_at bigint, data bytea)
RETURNS TABLE (ix integer, watermark bigint, live boolean, seq0 bigint, ats bigint[], prices bigint[], hash bytea)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT * FROM stored_flush_blocks(flush_at, data || ''::bytea) $$;
-- To compile a plan takes longer than the rest.
ALTER FUNCTION tick_chunk_is_logged() SET jit = off;
ALTER FUNCTION compact_flushes(bigint) SET jit = off;

-- In place of a check of each gap at the commit: with many products no start after a pause ended in time.
DROP TRIGGER feed_gap_is_uncovered ON feed_gap;
DROP FUNCTION feed_gap_is_uncovered();
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
`,
} as const
