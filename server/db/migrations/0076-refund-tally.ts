/**
 * How the orders stood that a gap or a change of source refunded: counted once, in the statement that settles them, and
 * only ever added to. A gap is named by its from_at, a source by its since_at; a gap may be counted before it has its row.
 */
export const refundTally = {
  id: 76,
  name: 'refund tally',
  sql: `
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
INSERT INTO refund_tally (product_id, cause, at, ahead, behind, level, pnl)
SELECT product_id, 'gap', from_at, count(*) FILTER (WHERE side > 0), count(*) FILTER (WHERE side < 0),
  count(*) FILTER (WHERE side = 0),
  sum(CASE WHEN side > 0 THEN amount * rate_bp / 10000 WHEN side < 0 THEN -amount ELSE 0 END)
FROM (
  SELECT o.product_id, o.amount, o.rate_bp, g.from_at,
    CASE WHEN o.exit_at IS NULL OR o.entry_at > g.from_at THEN 0
      ELSE sign(o.exit_price - o.entry_price) * CASE o.direction WHEN 'up' THEN 1 ELSE -1 END END AS side
  FROM orders o JOIN feed_product p ON p.id = o.product_id
  CROSS JOIN LATERAL (
    SELECT min(f.from_at) AS from_at FROM feed_gap f
    WHERE f.ix = p.ix AND f.from_at < o.close_at AND f.to_at > o.accepted_at AND (
      f.from_at < coalesce(o.entry_at, least(o.accepted_at + o.entry_timeout_ms, o.close_at)) OR f.to_at > o.exit_at)
  ) g
  WHERE o.reason = 'FEED_DOWN' AND g.from_at IS NOT NULL
) stood
GROUP BY product_id, from_at;
-- What it served is in the tally now.
DROP INDEX orders_refunded;

CREATE FUNCTION refund_tally_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER refund_tally_stays BEFORE DELETE ON refund_tally FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER refund_tally_no_truncate BEFORE TRUNCATE ON refund_tally EXECUTE FUNCTION deny_change();
`,
} as const
