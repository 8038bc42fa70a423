/**
 * How the orders of a product ended, by day in UTC: counted in the statement that settles them, and only ever added to.
 * The status page reads these rows and no order.
 */
export const outcomeTally = {
  id: 120,
  name: 'outcome tally',
  sql: `
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
INSERT INTO outcome_tally (product_id, day, won, lost, tied, refunded, rate_sum)
SELECT product_id, settled_at / 86400000, count(*) FILTER (WHERE status = 'won'),
  count(*) FILTER (WHERE status = 'lost'), count(*) FILTER (WHERE status = 'tied'),
  count(*) FILTER (WHERE status = 'refunded'),
  coalesce(sum(rate_bp) FILTER (WHERE status IN ('won', 'lost')), 0)
FROM orders WHERE settled_at IS NOT NULL
GROUP BY 1, 2;

CREATE FUNCTION outcome_tally_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.product_id, NEW.day) IS DISTINCT FROM (OLD.product_id, OLD.day) OR NEW.won < OLD.won OR NEW.lost < OLD.lost
     OR NEW.tied < OLD.tied OR NEW.refunded < OLD.refunded OR NEW.rate_sum < OLD.rate_sum THEN
    RAISE EXCEPTION 'a tally of outcomes is only added to' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER outcome_tally_guard BEFORE UPDATE ON outcome_tally FOR EACH ROW EXECUTE FUNCTION outcome_tally_guard();
CREATE TRIGGER outcome_tally_stays BEFORE DELETE ON outcome_tally FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER outcome_tally_no_truncate BEFORE TRUNCATE ON outcome_tally EXECUTE FUNCTION deny_change();
`,
} as const
