/**
 * Money moves for a reason that the database knows: a posting names an order, a deposit, a withdrawal, a transfer or an
 * earning of the fund, of its member, with its amount, in the state that it stands for, and once. Practice money comes in
 * practice mode only. Holds for every role, from the first term on.
 */
export const postingsHaveCauses = {
  id: 152,
  name: 'postings have causes',
  sql: `
-- Stakes and results: the order was written by the same statement, so its money moves once, also over savepoints.
-- A plan is made at the first rows and stays: it must fit tables that have grown, so no scan of a whole table.
CREATE FUNCTION postings_have_orders() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
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

-- Once each: a deposit, a withdrawal's hold and its end, a transfer into the fund or out of it, and its payout.
CREATE UNIQUE INDEX posting_once ON posting (ref_id, type, (held > 0))
  WHERE ref_kind IN ('deposit', 'withdrawal', 'fund_deposit', 'fund_withdrawal');
CREATE UNIQUE INDEX posting_earned_once ON posting (member_id, ref_id) WHERE ref_kind = 'fund_earning';

CREATE FUNCTION is_practice() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM setting WHERE key = 'mode' AND value = '"practice"')
$$;

-- What a posting of each other type may move, and what must stand behind it.
CREATE FUNCTION posting_has_cause(p posting) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE p.type
    WHEN 'grant' THEN is_practice() AND p.id = 1 AND p.amount >= 0 AND p.available = p.amount AND p.grants = -p.amount
    WHEN 'reset' THEN is_practice() AND p.available = p.amount AND p.grants = -p.amount AND p.stakes_after = 0
    WHEN 'deposit' THEN p.available = p.amount AND p.external = -p.amount AND EXISTS (
      SELECT FROM deposit d WHERE d.id = p.ref_id AND d.member_id = p.member_id
        AND d.amount = p.amount AND d.status = 'successful')
    WHEN 'withdrawal_hold' THEN p.available = p.amount AND p.held = -p.amount AND EXISTS (
      SELECT FROM withdrawal w JOIN hold h ON h.id = w.hold_id
      WHERE w.id = p.ref_id AND w.member_id = p.member_id AND w.amount = -p.amount
        AND (h.member_id, h.amount, h.source, h.ref_id) = (w.member_id, w.amount, 'available', w.id))
    WHEN 'withdrawal_paid' THEN p.amount = 0 AND p.external = -p.held AND EXISTS (
      SELECT FROM withdrawal w JOIN hold_resolution r ON r.hold_id = w.hold_id
      WHERE w.id = p.ref_id AND w.member_id = p.member_id AND w.amount = -p.held AND w.ended_as = 'paid'
        AND r.outcome = 'posted')
    WHEN 'withdrawal_returned' THEN p.available = p.amount AND p.held = -p.amount AND EXISTS (
      SELECT FROM withdrawal w JOIN hold_resolution r ON r.hold_id = w.hold_id
      WHERE w.id = p.ref_id AND w.member_id = p.member_id AND w.amount = p.amount
        AND w.ended_as IN ('refused', 'cancelled') AND r.outcome = 'voided')
    WHEN 'fund_in' THEN p.available = p.amount AND p.fund = -p.amount AND EXISTS (
      SELECT FROM fund_record f WHERE f.id = p.ref_id AND f.member_id = p.member_id AND f.kind = 'deposit'
        AND f.amount = p.fund)
    WHEN 'fund_out' THEN EXISTS (
      SELECT FROM fund_record f LEFT JOIN hold_resolution r ON r.hold_id = f.hold_id
      WHERE f.id = p.ref_id AND f.member_id = p.member_id AND f.kind = 'withdrawal' AND CASE
        WHEN f.mode = 'fast' THEN (p.fund, p.available, p.held) = (-f.amount, f.amount, 0)
        WHEN p.held > 0 THEN (p.fund, p.available, p.held) = (-f.amount, 0, f.amount)
        ELSE (p.fund, p.available, p.held) = (0, f.amount, -f.amount) AND r.outcome = 'posted'
          AND f.status = 'successful' END)
    WHEN 'fund_earning' THEN p.amount = p.fund AND p.house = -p.fund AND p.pnl = p.fund AND EXISTS (
      SELECT FROM fund_earning e WHERE e.member_id = p.member_id AND e.on_day = p.ref_id AND e.amount = p.fund
        AND e.xmin = pg_current_xact_id()::xid)
  END
  AND (p.type IN ('grant', 'reset') OR p.ref_kind = CASE p.type WHEN 'deposit' THEN 'deposit'
    WHEN 'fund_in' THEN 'fund_deposit' WHEN 'fund_out' THEN 'fund_withdrawal'
    WHEN 'fund_earning' THEN 'fund_earning' ELSE 'withdrawal' END)
  AND p.stakes = 0 AND (p.type = 'fund_earning' OR (p.house = 0 AND p.pnl = 0))
  AND (p.grants = 0 OR p.type IN ('grant', 'reset')) AND (p.external = 0 OR p.type IN ('deposit', 'withdrawal_paid'))
$$;

-- At the commit: the cause may be written after the posting.
CREATE FUNCTION posting_is_caused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF venue_has_led() AND posting_has_cause(NEW) IS NOT TRUE THEN
    RAISE EXCEPTION 'nothing stands behind posting % of member %', NEW.id, NEW.member_id
      USING ERRCODE = 'restrict_violation', TABLE = 'posting';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER posting_is_caused AFTER INSERT ON posting DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type NOT IN ('stake', 'payout', 'refund')) EXECUTE FUNCTION posting_is_caused();

-- Every member earns at the day's rate.
CREATE FUNCTION fund_earning_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  carried_before bigint;
BEGIN
  IF NOT venue_has_led() THEN RETURN NEW; END IF;
  SELECT carried INTO carried_before FROM fund_earning
    WHERE member_id = NEW.member_id AND on_day < NEW.on_day ORDER BY on_day DESC LIMIT 1;
  IF NEW.per10k IS DISTINCT FROM (SELECT per10k FROM fund_rate WHERE on_day = NEW.on_day)
     OR NEW.confirmed::numeric * NEW.per10k + coalesce(carried_before, 0)
       <> NEW.amount::numeric * 100000000 + NEW.carried THEN
    RAISE EXCEPTION 'an earning is what the rate of its day gives'
      USING ERRCODE = 'restrict_violation', TABLE = 'fund_earning';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER fund_earning_is_due BEFORE INSERT ON fund_earning FOR EACH ROW EXECUTE FUNCTION fund_earning_is_due();

-- A withdrawal goes to the account that its member has bound, and begins with its hold.
CREATE FUNCTION withdrawal_is_to_bound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF venue_has_led() AND (NEW.status <> 'under_review' OR NOT EXISTS (
    SELECT FROM withdrawal_account a
    WHERE a.id = NEW.account_id AND a.member_id = NEW.member_id AND a.unbound_at IS NULL)) THEN
    RAISE EXCEPTION 'a withdrawal goes to the bound account of its member'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER withdrawal_is_to_bound BEFORE INSERT ON withdrawal
  FOR EACH ROW EXECUTE FUNCTION withdrawal_is_to_bound();

-- A withdrawal is marked as paid with its posting, a deposit as successful with its own; outside of practice mode somebody
-- decides the deposit, which is a change of its row.
CREATE FUNCTION request_is_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'deposit' AND TG_OP = 'INSERT' AND venue_has_led() AND NOT is_practice() THEN
    RAISE EXCEPTION 'a deposit begins under review' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  IF venue_has_led() AND NOT EXISTS (
    SELECT FROM posting p WHERE p.ref_id = NEW.id AND p.member_id = NEW.member_id
      AND p.type IN ('deposit', 'withdrawal_hold', 'withdrawal_paid', 'withdrawal_returned')
      AND p.type = CASE TG_TABLE_NAME WHEN 'deposit' THEN 'deposit' ELSE CASE NEW.status
        WHEN 'under_review' THEN 'withdrawal_hold' WHEN 'successful' THEN 'withdrawal_paid'
        ELSE 'withdrawal_returned' END END) THEN
    RAISE EXCEPTION 'a % is decided with its posting', TG_TABLE_NAME
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER deposit_is_posted AFTER INSERT OR UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful') EXECUTE FUNCTION request_is_posted();
CREATE CONSTRAINT TRIGGER withdrawal_is_posted AFTER INSERT OR UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION request_is_posted();
`,
} as const
