/**
 * A source belongs to the orders placed on it: an order keeps the fingerprint of its product's source, and a source its
 * text. Fingerprints now begin with the kind. Orders placed before get the source that their product had then.
 */
export const sources = {
  id: 75,
  name: 'sources',
  sql: `
ALTER TABLE feed_source ADD COLUMN label text;
ALTER TABLE feed_source DISABLE TRIGGER feed_source_stays;
UPDATE feed_source SET
  fingerprint = CASE WHEN fingerprint LIKE 'synthetic:%' THEN fingerprint ELSE 'replay:' || fingerprint END,
  label = CASE WHEN fingerprint LIKE 'synthetic:%' THEN 'synthetic' ELSE 'recording' END;
ALTER TABLE feed_source ENABLE TRIGGER feed_source_stays;
ALTER TABLE feed_source ALTER COLUMN label SET NOT NULL;

ALTER TABLE orders ADD COLUMN source text;
ALTER TABLE orders DISABLE TRIGGER orders_guard;
UPDATE orders o SET source = coalesce((
  SELECT s.fingerprint FROM feed_source s JOIN feed_product p ON p.ix = s.ix
  WHERE p.id = o.product_id AND s.since_at <= o.accepted_at ORDER BY s.since_at DESC LIMIT 1), 'unknown');
ALTER TABLE orders ENABLE TRIGGER orders_guard;
ALTER TABLE orders ALTER COLUMN source SET NOT NULL;
ALTER TABLE orders DROP CONSTRAINT orders_reason_check;
ALTER TABLE orders ADD CONSTRAINT orders_reason_check
  CHECK (reason IN ('SOURCE_CHANGED', 'FEED_DOWN', 'NO_ENTRY', 'ONE_TICK', 'STALE_EXIT'));

CREATE FUNCTION orders_source_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.source IS DISTINCT FROM OLD.source THEN
    RAISE EXCEPTION 'the terms of an order never change' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER orders_source_guard BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_source_guard();
`,
} as const
