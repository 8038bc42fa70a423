/**
 * Orders. Terms and stake never change, a final row never changes, a row never goes, and a result that the row's own
 * prices and rate do not give is refused, whoever writes it.
 */
export const orders = {
  id: 13,
  name: 'orders',
  sql: `
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
  reason text CHECK (reason IN ('FEED_DOWN', 'NO_ENTRY', 'ONE_TICK', 'STALE_EXIT')),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT orders_key_unique UNIQUE (member_id, key),
  CONSTRAINT orders_in_time CHECK (accepted_at <= valid_until),
  CONSTRAINT orders_close CHECK (close_at = accepted_at + seconds * 1000::bigint),
  CONSTRAINT orders_entry CHECK (
    (entry_seq IS NULL) = (entry_at IS NULL) AND (entry_seq IS NULL) = (entry_price IS NULL)
    AND (entry_at IS NULL OR (entry_at > accepted_at AND entry_at <= least(accepted_at + entry_timeout_ms, close_at)))),
  CONSTRAINT orders_exit CHECK (
    (exit_seq IS NULL) = (exit_at IS NULL) AND (exit_seq IS NULL) = (exit_price IS NULL)
    AND (exit_seq IS NULL OR (entry_seq IS NOT NULL AND exit_seq >= entry_seq AND exit_at <= close_at))),
  CONSTRAINT orders_result CHECK (CASE status
    WHEN 'accepted' THEN entry_seq IS NULL AND exit_seq IS NULL AND settled_at IS NULL AND payout IS NULL AND reason IS NULL
    WHEN 'open' THEN entry_seq IS NOT NULL AND exit_seq IS NULL AND settled_at IS NULL AND payout IS NULL AND reason IS NULL
    WHEN 'refunded' THEN settled_at IS NOT NULL AND payout IS NOT DISTINCT FROM amount AND reason IS NOT NULL
    ELSE settled_at IS NOT NULL AND reason IS NULL AND exit_seq > entry_seq AND CASE status
      WHEN 'tied' THEN exit_price = entry_price AND payout IS NOT DISTINCT FROM amount
      WHEN 'won' THEN CASE direction WHEN 'up' THEN exit_price > entry_price ELSE exit_price < entry_price END
        AND payout IS NOT DISTINCT FROM amount + amount * rate_bp / 10000
      ELSE CASE direction WHEN 'up' THEN exit_price < entry_price ELSE exit_price > entry_price END
        AND payout IS NOT DISTINCT FROM 0::bigint
      END
    END IS TRUE)
) WITH (fillfactor = 85);
CREATE INDEX orders_of_member ON orders (member_id, accepted_at DESC, id DESC);
-- No index looks at status or entry: storing an entry stays within the row's page and touches none.
CREATE INDEX orders_unsettled ON orders (close_at) WHERE settled_at IS NULL;
CREATE INDEX orders_refunded ON orders (product_id, close_at) WHERE reason = 'FEED_DOWN';
CREATE INDEX orders_by_time ON orders USING brin (accepted_at);

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
CREATE TRIGGER orders_stay BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER orders_no_truncate BEFORE TRUNCATE ON orders EXECUTE FUNCTION deny_change();
`,
} as const
