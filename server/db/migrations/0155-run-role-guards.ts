/**
 * What a session of a run role could still write: an order without its stake, or in the past; a result without its
 * posting, or before its close; an earning on more than the share; who a member is. Holds for every role, from the first
 * term on.
 */
export const runRoleGuards = {
  id: 155,
  name: 'run role guards',
  sql: `
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
  WHERE reason = 'FEED_DOWN' AND close_at + 300000 > greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
      (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
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

-- A day after the last one that was earned, on no more than what is in the fund. Days of practice mode may be ahead.
CREATE FUNCTION fund_earning_is_of_share() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NEW; END IF;
  IF NEW.on_day !~ '^\\d{4}-\\d\\d-\\d\\d$'
     OR EXISTS (SELECT FROM fund_earning WHERE member_id = NEW.member_id AND on_day >= NEW.on_day)
     OR NEW.confirmed > coalesce((SELECT fund FROM balance WHERE member_id = NEW.member_id), 0)
     OR NEW.on_day::date < (SELECT (to_timestamp(min(at) / 1000.0) AT TIME ZONE 'UTC')::date - 1 FROM posting
       WHERE member_id = NEW.member_id AND type = 'fund_in')
     OR (NOT is_practice() AND NEW.on_day::date > (clock_timestamp() AT TIME ZONE 'UTC')::date) THEN
    RAISE EXCEPTION 'an earning is of a day and a share that there was'
      USING ERRCODE = 'restrict_violation', TABLE = 'fund_earning';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER fund_earning_is_of_share BEFORE INSERT ON fund_earning
  FOR EACH ROW EXECUTE FUNCTION fund_earning_is_of_share();

-- The calls of members may cancel a withdrawal; that it was paid says the back office, with a row of the audit.
CREATE FUNCTION withdrawal_is_paid_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (current_user LIKE 'uptick\\_calls\\_%' OR NOT EXISTS (SELECT FROM audit a
    WHERE a.subject_kind = 'withdrawal' AND a.subject_id = NEW.id AND a.xmin = pg_current_xact_id()::xid)) THEN
    RAISE EXCEPTION 'a withdrawal is paid by the back office' USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER withdrawal_is_paid_by_office AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful' AND OLD.status <> 'successful')
  EXECUTE FUNCTION withdrawal_is_paid_by_office();

-- Who a member is never changes; a phone goes when the account closes.
CREATE FUNCTION member_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.id, NEW.account, NEW.opening_code, NEW.opened_with, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.account, OLD.opening_code, OLD.opened_with, OLD.created_at)
     OR (NEW.phone_hash <> OLD.phone_hash) THEN
    RAISE EXCEPTION 'who a member is never changes' USING ERRCODE = 'restrict_violation', TABLE = 'member';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER member_guard BEFORE UPDATE ON member FOR EACH ROW EXECUTE FUNCTION member_guard();
CREATE TRIGGER member_stays BEFORE DELETE ON member FOR EACH ROW EXECUTE FUNCTION deny_change();

-- A key stands for its effect for a week at least, whatever a session says.
CREATE FUNCTION idempotency_is_old() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND OLD.created_at > coalesce((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1), 0) - 604800000 THEN
    RAISE EXCEPTION 'the answer of a keyed request stays for a week'
      USING ERRCODE = 'restrict_violation', TABLE = 'idempotency';
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER idempotency_is_old BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION idempotency_is_old();

-- A row of the audit gets the next number, no other.
CREATE FUNCTION audit_is_next() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.id IS DISTINCT FROM currval(pg_get_serial_sequence('public.audit', 'id')) THEN
    RAISE EXCEPTION 'a row of the audit gets the next number' USING ERRCODE = 'restrict_violation', TABLE = 'audit';
  END IF;
  RETURN NEW;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
  RAISE EXCEPTION 'a row of the audit gets the next number' USING ERRCODE = 'restrict_violation', TABLE = 'audit';
END
$$;
CREATE TRIGGER audit_is_next BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_next();

-- Conditions of triggers read the venue's own tables too, whatever temporary ones a session has.
ALTER FUNCTION is_closed(text) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION closed_owner(text) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION only_erases(jsonb, jsonb, text) SET search_path = pg_catalog, public, pg_temp;
`,
} as const
