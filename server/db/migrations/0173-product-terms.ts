/**
 * The terms under which a product takes orders, from an instant on: the engine writes them from the product table, and an
 * order has those that are in force when it is accepted. Holds for every role, from the first term on.
 */
export const productTerms = {
  id: 173,
  name: 'product terms',
  sql: `
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

-- As in migration 155, and the terms: one look-up in the key's index for each order.
CREATE OR REPLACE FUNCTION orders_are_staked() RETURNS trigger LANGUAGE plpgsql
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
  -- While a build leads that writes no terms, beside nodes of this one, there are none.
  IF wrong IS NOT NULL AND EXISTS (SELECT FROM product_terms) THEN
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
`,
} as const
