/** Prices at which members want to be notified: a row waits, and goes when its price is reached or its member removes it. */
export const priceAlerts = {
  id: 165,
  name: 'price alerts',
  sql: `
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
CREATE TRIGGER price_alert_closed BEFORE INSERT ON price_alert
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');

-- The newest tick of a product that its joined alerts were judged by.
CREATE TABLE price_alert_progress (
  product_id text PRIMARY KEY,
  seq bigint NOT NULL
);
`,
} as const
