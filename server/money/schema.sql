-- The ledger. A posting is one balanced transaction: what it moved on each account, Σ = 0, and the member's balances
-- after it. Postings of a member are numbered from 1 without holes, each follows from the one before, and a balance can
-- only be what the newest posting says: no statement changes money without leaving one.
CREATE TABLE balance (
  member_id text PRIMARY KEY REFERENCES member (id),
  available bigint NOT NULL DEFAULT 0 CONSTRAINT balance_available CHECK (available >= 0),
  held bigint NOT NULL DEFAULT 0 CONSTRAINT balance_held CHECK (held >= 0),
  stakes bigint NOT NULL DEFAULT 0 CONSTRAINT balance_stakes CHECK (stakes >= 0),
  fund bigint NOT NULL DEFAULT 0 CONSTRAINT balance_fund CHECK (fund >= 0),
  pnl bigint NOT NULL DEFAULT 0,
  today_pnl bigint NOT NULL DEFAULT 0,
  today_on text NOT NULL DEFAULT '',
  version bigint NOT NULL DEFAULT 0,
  week_pnl bigint NOT NULL DEFAULT 0,
  week_on text NOT NULL DEFAULT '',
  month_pnl bigint NOT NULL DEFAULT 0,
  month_on text NOT NULL DEFAULT ''
) WITH (fillfactor = 70);
CREATE TRIGGER balance_stays BEFORE DELETE ON balance FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER balance_no_truncate BEFORE TRUNCATE ON balance EXECUTE FUNCTION deny_change();

CREATE TABLE posting (
  member_id text NOT NULL,
  id bigint NOT NULL CHECK (id > 0),
  at bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('grant', 'stake', 'payout', 'refund', 'deposit', 'deposit_reversed',
    'withdrawal_hold', 'withdrawal_paid', 'withdrawal_returned', 'fund_in', 'fund_out', 'fund_earning', 'reset')),
  amount bigint NOT NULL,
  available bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  stakes bigint NOT NULL DEFAULT 0,
  fund bigint NOT NULL DEFAULT 0,
  house bigint NOT NULL DEFAULT 0,
  grants bigint NOT NULL DEFAULT 0,
  external bigint NOT NULL DEFAULT 0,
  pnl bigint NOT NULL DEFAULT 0,
  available_after bigint NOT NULL,
  held_after bigint NOT NULL,
  stakes_after bigint NOT NULL,
  fund_after bigint NOT NULL,
  pnl_after bigint NOT NULL,
  ref_kind text NOT NULL,
  ref_id text NOT NULL,
  PRIMARY KEY (member_id, id),
  CONSTRAINT posting_balanced CHECK (available + held + stakes + fund + house + grants + external = 0)
);
-- Postings are added in the order of time: blocks of the table are found by it at almost no cost.
CREATE INDEX posting_at ON posting USING brin (at);
-- Once each: a deposit, a withdrawal's hold and its end, a transfer into the fund or out of it, and its payout.
CREATE UNIQUE INDEX posting_once ON posting (ref_id, type, (held > 0))
  WHERE ref_kind IN ('deposit', 'withdrawal', 'fund_deposit', 'fund_withdrawal');
CREATE UNIQUE INDEX posting_earned_once ON posting (member_id, ref_id) WHERE ref_kind = 'fund_earning';
CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE ON posting
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER posting_no_truncate BEFORE TRUNCATE ON posting EXECUTE FUNCTION deny_change();

CREATE VIEW ledger_leg AS
  SELECT p.member_id, p.id, p.at, p.type, leg.account, leg.amount
  FROM posting p, LATERAL (VALUES
    ('available', p.available), ('held', p.held), ('stakes', p.stakes), ('fund', p.fund),
    ('house', p.house), ('grants', p.grants), ('external', p.external)
  ) AS leg (account, amount)
  WHERE leg.amount <> 0;

CREATE TABLE hold (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES balance (member_id),
  source text NOT NULL CHECK (source IN ('available', 'fund')),
  amount bigint NOT NULL CHECK (amount > 0),
  ref_kind text NOT NULL,
  ref_id text NOT NULL,
  at bigint NOT NULL
);
CREATE TRIGGER hold_append_only BEFORE UPDATE OR DELETE ON hold
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER hold_no_truncate BEFORE TRUNCATE ON hold EXECUTE FUNCTION deny_change();

CREATE TABLE hold_resolution (
  hold_id text PRIMARY KEY REFERENCES hold (id),
  outcome text NOT NULL CHECK (outcome IN ('posted', 'voided')),
  at bigint NOT NULL
);
CREATE TRIGGER hold_resolution_append_only BEFORE UPDATE OR DELETE ON hold_resolution
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER hold_resolution_no_truncate BEFORE TRUNCATE ON hold_resolution EXECUTE FUNCTION deny_change();

-- Withdrawal accounts, deposits and withdrawals. Personal details are sealed with a key outside the database. A request
-- is decided once, and its row never goes.
CREATE TABLE withdrawal_account (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  type text NOT NULL CHECK (type IN ('bank', 'crypto')),
  details_sealed bytea NOT NULL,
  bound_at bigint NOT NULL,
  unbound_at bigint,
  unbound_by text,
  CONSTRAINT withdrawal_account_unbound CHECK ((unbound_at IS NULL) = (unbound_by IS NULL))
);
CREATE UNIQUE INDEX withdrawal_account_bound ON withdrawal_account (member_id) WHERE unbound_at IS NULL;
CREATE TRIGGER withdrawal_account_stays BEFORE DELETE ON withdrawal_account
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER withdrawal_account_no_truncate BEFORE TRUNCATE ON withdrawal_account EXECUTE FUNCTION deny_change();

CREATE TABLE deposit (
  id text PRIMARY KEY,
  no text NOT NULL CONSTRAINT deposit_no_unique UNIQUE,
  member_id text NOT NULL REFERENCES member (id),
  method_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  proof_upload_id text REFERENCES upload (id),
  status text NOT NULL CHECK (status IN ('under_review', 'successful', 'failed')),
  reason text,
  created_at bigint NOT NULL,
  created_on text NOT NULL,
  decided_at bigint,
  decided_by text,
  version integer NOT NULL DEFAULT 1,
  -- Credited by one person, it waits for a second one.
  awaits_second boolean NOT NULL DEFAULT false,
  confirmed_at bigint,
  confirmed_by text,
  -- Rejected instead: what was taken back of it.
  reversed bigint,
  CONSTRAINT deposit_reversed CHECK (reversed IS NULL OR (status = 'failed' AND reversed BETWEEN 0 AND amount)),
  CONSTRAINT deposit_decided CHECK ((status = 'under_review') = (decided_at IS NULL)
    AND (status = 'failed') = (reason IS NOT NULL)),
  CONSTRAINT deposit_confirmed CHECK ((confirmed_at IS NULL) = (confirmed_by IS NULL)
    AND (NOT awaits_second OR (status = 'successful' AND confirmed_at IS NULL)))
);
CREATE INDEX deposit_of_member ON deposit (member_id, created_at DESC, id DESC);
CREATE INDEX deposit_of_day ON deposit (member_id, created_on);
CREATE INDEX deposit_open ON deposit (created_at) WHERE status = 'under_review';
CREATE INDEX deposit_awaits_second ON deposit (member_id) WHERE awaits_second;
CREATE INDEX deposit_proof ON deposit (proof_upload_id) WHERE proof_upload_id IS NOT NULL;
CREATE TRIGGER deposit_stays BEFORE DELETE ON deposit FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER deposit_no_truncate BEFORE TRUNCATE ON deposit EXECUTE FUNCTION deny_change();

CREATE TABLE withdrawal (
  id text PRIMARY KEY,
  no text NOT NULL CONSTRAINT withdrawal_no_unique UNIQUE,
  member_id text NOT NULL REFERENCES member (id),
  account_id text NOT NULL REFERENCES withdrawal_account (id),
  account_sealed bytea NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  hold_id text NOT NULL CONSTRAINT withdrawal_hold_unique UNIQUE REFERENCES hold (id),
  status text NOT NULL CHECK (status IN ('under_review', 'successful', 'failed')),
  ended_as text CHECK (ended_as IN ('paid', 'refused', 'cancelled')),
  reason text,
  created_at bigint NOT NULL,
  decided_at bigint,
  decided_by text,
  version integer NOT NULL DEFAULT 1,
  -- Approved first, and paid then.
  approved_at bigint,
  approved_by text,
  reference text,
  -- The reference in the one form in which references are compared.
  reference_key text,
  -- One transfer paid this withdrawal and another one.
  shared_transfer boolean NOT NULL DEFAULT false,
  CONSTRAINT withdrawal_decided CHECK (CASE status
    WHEN 'under_review' THEN decided_at IS NULL AND ended_as IS NULL AND reason IS NULL
    WHEN 'successful' THEN decided_at IS NOT NULL AND ended_as = 'paid' AND reason IS NULL
    ELSE decided_at IS NOT NULL AND ended_as IN ('refused', 'cancelled') AND reason IS NOT NULL END IS TRUE),
  CONSTRAINT withdrawal_approved CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
  CONSTRAINT withdrawal_reference CHECK ((reference IS NULL) = (reference_key IS NULL)
    AND (reference IS NULL OR status = 'successful') AND (reference IS NOT NULL OR NOT shared_transfer))
);
CREATE UNIQUE INDEX withdrawal_reference_unique ON withdrawal (reference_key) WHERE NOT shared_transfer;
CREATE INDEX withdrawal_of_reference ON withdrawal (reference_key) WHERE reference_key IS NOT NULL;
CREATE INDEX withdrawal_of_member ON withdrawal (member_id, created_at DESC, id DESC);
CREATE INDEX withdrawal_open ON withdrawal (created_at) WHERE status = 'under_review';
CREATE TRIGGER withdrawal_stays BEFORE DELETE ON withdrawal FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER withdrawal_no_truncate BEFORE TRUNCATE ON withdrawal EXECUTE FUNCTION deny_change();

-- Limits that members set for themselves: what holds now, and a looser value with the business instant it begins.
CREATE TABLE member_limit (
  member_id text NOT NULL REFERENCES member (id),
  field text NOT NULL CHECK (field IN ('maxStake',
    'maxDailyLoss', 'maxWeeklyLoss', 'maxMonthlyLoss', 'maxDailyDeposit', 'maxWeeklyDeposit', 'maxMonthlyDeposit',
    'excludedUntil')),
  value bigint CHECK (value >= 0),
  next_value bigint CHECK (next_value >= 0),
  next_at bigint,
  PRIMARY KEY (member_id, field),
  CONSTRAINT member_limit_next CHECK (next_at IS NOT NULL OR next_value IS NULL)
);

-- The balance fund. What a member holds is confirmed or pending share; both together are the ledger's `fund`, and the
-- database refuses a commit where they are not. A day is earned once a member, at a rate that stays as it was.
CREATE TABLE fund_account (
  member_id text PRIMARY KEY REFERENCES balance (member_id),
  confirmed bigint NOT NULL DEFAULT 0 CONSTRAINT fund_confirmed CHECK (confirmed >= 0),
  pending bigint NOT NULL DEFAULT 0 CONSTRAINT fund_pending CHECK (pending >= 0),
  -- Standard withdrawals that are not paid yet; the money stands in the ledger's held.
  owed bigint NOT NULL DEFAULT 0 CONSTRAINT fund_owed CHECK (owed >= 0),
  -- Hundred-millionths of a cent left over from the last day's earnings.
  carried bigint NOT NULL DEFAULT 0 CONSTRAINT fund_carried CHECK (carried >= 0 AND carried < 100000000),
  total_earned bigint NOT NULL DEFAULT 0,
  -- The newest business day whose start has been worked through.
  begun_on text NOT NULL,
  -- What was used on the business day used_on.
  used_on text NOT NULL DEFAULT '',
  deposits_used integer NOT NULL DEFAULT 0,
  withdrawals_used integer NOT NULL DEFAULT 0,
  fast_used bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0
);
CREATE INDEX fund_account_behind ON fund_account (begun_on) WHERE confirmed > 0 OR pending > 0 OR owed > 0;
CREATE TRIGGER fund_account_stays BEFORE DELETE ON fund_account FOR EACH ROW EXECUTE FUNCTION deny_change();

CREATE TABLE fund_lot (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES fund_account (member_id),
  kind text NOT NULL CHECK (kind IN ('deposit', 'earnings')),
  amount bigint NOT NULL CHECK (amount > 0),
  remaining bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('pending_review', 'confirmed')),
  deposited_at bigint NOT NULL,
  confirm_on text NOT NULL,
  -- The business day of the transfer, or of the credit of earnings.
  made_on text NOT NULL,
  CONSTRAINT fund_lot_remaining CHECK (remaining >= 0 AND remaining <= amount)
);
CREATE INDEX fund_lot_of_member ON fund_lot (member_id, no DESC);
CREATE INDEX fund_lot_left ON fund_lot (member_id, no) WHERE remaining > 0;
CREATE UNIQUE INDEX fund_lot_earnings ON fund_lot (member_id) WHERE kind = 'earnings';
CREATE TRIGGER fund_lot_stays BEFORE DELETE ON fund_lot FOR EACH ROW EXECUTE FUNCTION deny_change();

CREATE TABLE fund_record (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES fund_account (member_id),
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'earning')),
  mode text CHECK (mode IN ('fast', 'standard')),
  amount bigint NOT NULL CHECK (amount > 0),
  status text NOT NULL CHECK (status IN ('pending_review', 'confirmed', 'under_review', 'successful')),
  at bigint NOT NULL,
  on_day text NOT NULL,
  hold_id text REFERENCES hold (id),
  made_on text NOT NULL,
  CONSTRAINT fund_record_mode CHECK ((kind = 'withdrawal') = (mode IS NOT NULL)),
  CONSTRAINT fund_record_hold CHECK ((mode IS NOT DISTINCT FROM 'standard') = (hold_id IS NOT NULL))
);
CREATE INDEX fund_record_of_member ON fund_record (member_id, no DESC);
CREATE INDEX fund_record_due ON fund_record (member_id, on_day) WHERE status = 'under_review';
CREATE TRIGGER fund_record_stays BEFORE DELETE ON fund_record FOR EACH ROW EXECUTE FUNCTION deny_change();

CREATE TABLE fund_earning (
  member_id text NOT NULL REFERENCES fund_account (member_id),
  on_day text NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  confirmed bigint NOT NULL,
  per10k integer NOT NULL,
  carried bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (member_id, on_day)
);
CREATE TRIGGER fund_earning_append_only BEFORE UPDATE OR DELETE ON fund_earning
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_earning_no_truncate BEFORE TRUNCATE ON fund_earning EXECUTE FUNCTION deny_change();

CREATE TABLE fund_rate (
  on_day text PRIMARY KEY,
  per10k integer NOT NULL CHECK (per10k >= 0)
);
CREATE TRIGGER fund_rate_append_only BEFORE UPDATE OR DELETE ON fund_rate
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_rate_no_truncate BEFORE TRUNCATE ON fund_rate EXECUTE FUNCTION deny_change();

-- Freezes of accounts.
CREATE TABLE member_freeze (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  reason text NOT NULL CHECK (reason IN ('theft_reported', 'death', 'order_of_authority')),
  tell_member boolean NOT NULL,
  from_at bigint NOT NULL,
  until_at bigint NOT NULL,
  renewals integer NOT NULL DEFAULT 0,
  ended_at bigint,
  ended_by text,
  CONSTRAINT member_freeze_ended CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
  -- 14 days, and as many again for each renewal.
  CONSTRAINT member_freeze_length CHECK (until_at - from_at <= 1209600000 * (1 + renewals::bigint))
);
CREATE UNIQUE INDEX member_freeze_one ON member_freeze (member_id) WHERE ended_at IS NULL;
CREATE TRIGGER member_freeze_stays BEFORE DELETE ON member_freeze FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER member_freeze_no_truncate BEFORE TRUNCATE ON member_freeze EXECUTE FUNCTION deny_change();

CREATE FUNCTION posting_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  prior posting%ROWTYPE;
BEGIN
  SELECT * INTO prior FROM posting WHERE member_id = NEW.member_id AND id = NEW.id - 1;
  IF prior.id IS NULL AND NEW.id <> 1 THEN
    RAISE EXCEPTION 'a posting is missing before this one' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF coalesce(prior.available_after, 0) + NEW.available <> NEW.available_after
     OR coalesce(prior.held_after, 0) + NEW.held <> NEW.held_after
     OR coalesce(prior.stakes_after, 0) + NEW.stakes <> NEW.stakes_after
     OR coalesce(prior.fund_after, 0) + NEW.fund <> NEW.fund_after
     OR coalesce(prior.pnl_after, 0) + NEW.pnl <> NEW.pnl_after THEN
    RAISE EXCEPTION 'a posting does not follow from the one before'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM balance WHERE member_id = NEW.member_id AND version >= NEW.id) THEN
    RAISE EXCEPTION 'a posting without its balance' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
-- At the end of the statement: balance and postings change in one statement together.
CREATE TRIGGER posting_follows AFTER INSERT ON posting FOR EACH ROW EXECUTE FUNCTION posting_follows();

CREATE FUNCTION balance_is_posted() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.available <> 0 OR NEW.held <> 0 OR NEW.stakes <> 0 OR NEW.fund <> 0 OR NEW.pnl <> 0
       OR NEW.today_pnl <> 0 OR NEW.week_pnl <> 0 OR NEW.month_pnl <> 0 OR NEW.version <> 0 THEN
      RAISE EXCEPTION 'a balance begins at zero' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF NEW.member_id <> OLD.member_id OR NEW.version <= OLD.version OR NOT EXISTS (
    SELECT FROM posting p WHERE p.member_id = NEW.member_id AND p.id = NEW.version
      AND p.available_after = NEW.available AND p.held_after = NEW.held AND p.stakes_after = NEW.stakes
      AND p.fund_after = NEW.fund AND p.pnl_after = NEW.pnl
  ) THEN
    RAISE EXCEPTION 'a balance changes by postings only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER balance_is_posted AFTER INSERT OR UPDATE ON balance
  FOR EACH ROW EXECUTE FUNCTION balance_is_posted();

CREATE FUNCTION withdrawal_account_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.unbound_at IS NOT NULL OR NEW.unbound_at IS NULL
     OR (to_jsonb(NEW) - '{unbound_at,unbound_by}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{unbound_at,unbound_by}'::text[]) THEN
    RAISE EXCEPTION 'an account is bound once and unbound once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION fund_matches_ledger() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  posted bigint;
  share bigint;
BEGIN
  SELECT fund INTO posted FROM balance WHERE member_id = NEW.member_id;
  SELECT confirmed + pending INTO share FROM fund_account WHERE member_id = NEW.member_id;
  IF posted <> coalesce(share, 0) THEN
    RAISE EXCEPTION 'the fund is not what the ledger says' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
-- At the commit: share and ledger change in statements of their own.
CREATE CONSTRAINT TRIGGER fund_matches_ledger AFTER INSERT OR UPDATE OF confirmed, pending ON fund_account
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fund_matches_ledger();
CREATE CONSTRAINT TRIGGER ledger_matches_fund AFTER UPDATE OF fund ON balance
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.fund IS DISTINCT FROM NEW.fund)
  EXECUTE FUNCTION fund_matches_ledger();

CREATE FUNCTION member_freeze_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL OR NEW.renewals NOT IN (OLD.renewals, OLD.renewals + 1)
     OR (NEW.renewals = OLD.renewals AND NEW.until_at <> OLD.until_at)
     OR (to_jsonb(NEW) - '{until_at,renewals,ended_at,ended_by}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{until_at,renewals,ended_at,ended_by}'::text[]) THEN
    RAISE EXCEPTION 'a freeze is only renewed or ended' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER member_freeze_guard BEFORE UPDATE ON member_freeze
  FOR EACH ROW EXECUTE FUNCTION member_freeze_guard();

CREATE FUNCTION withdrawal_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decision CONSTANT text[] := '{status,ended_as,reason,decided_at,decided_by,version,approved_at,approved_by,reference,
    reference_key,shared_transfer}';
  approval CONSTANT text[] := '{version,approved_at,approved_by}';
BEGIN
  IF OLD.status <> 'under_review' OR (OLD.approved_at IS NOT NULL
     AND (NEW.approved_at, NEW.approved_by) IS DISTINCT FROM (OLD.approved_at, OLD.approved_by)) THEN
    RAISE EXCEPTION 'a request is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status = 'under_review' AND (NEW.approved_at IS NULL OR OLD.approved_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a request is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.ended_as = 'cancelled' AND OLD.approved_at IS NOT NULL THEN
    RAISE EXCEPTION 'an approved withdrawal is paid or refused' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.version <> OLD.version + 1
     OR (NEW.status = 'under_review' AND (to_jsonb(NEW) - approval) IS DISTINCT FROM (to_jsonb(OLD) - approval))
     OR (to_jsonb(NEW) - decision) IS DISTINCT FROM (to_jsonb(OLD) - decision) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

-- What a posting of each other type may move, and what must stand behind it.
CREATE FUNCTION posting_has_cause(p posting) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE p.type
    WHEN 'grant' THEN is_practice() AND p.id = 1 AND p.amount >= 0 AND p.available = p.amount AND p.grants = -p.amount
    WHEN 'reset' THEN is_practice() AND p.available = p.amount AND p.grants = -p.amount AND p.stakes_after = 0
    WHEN 'deposit' THEN p.available = p.amount AND p.external = -p.amount AND EXISTS (
      SELECT FROM deposit d WHERE d.id = p.ref_id AND d.member_id = p.member_id
        AND d.amount = p.amount AND d.status = 'successful')
    WHEN 'deposit_reversed' THEN p.available = p.amount AND p.external = -p.amount AND EXISTS (
      SELECT FROM deposit d WHERE d.id = p.ref_id AND d.member_id = p.member_id AND d.reversed = -p.amount
        AND d.reversed > 0)
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
  AND (p.type IN ('grant', 'reset') OR p.ref_kind = CASE p.type WHEN 'deposit' THEN 'deposit' WHEN 'deposit_reversed' THEN 'deposit'
    WHEN 'fund_in' THEN 'fund_deposit' WHEN 'fund_out' THEN 'fund_withdrawal'
    WHEN 'fund_earning' THEN 'fund_earning' ELSE 'withdrawal' END)
  AND p.stakes = 0 AND (p.type = 'fund_earning' OR (p.house = 0 AND p.pnl = 0))
  AND (p.grants = 0 OR p.type IN ('grant', 'reset')) AND (p.external = 0 OR p.type IN ('deposit', 'deposit_reversed', 'withdrawal_paid'))
$$;

-- At the commit: the cause may be written after the posting.
CREATE FUNCTION posting_is_caused() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE FUNCTION fund_earning_is_due() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE FUNCTION withdrawal_is_to_bound() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE FUNCTION request_is_posted() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A day after the last one that was earned, on no more than what is in the fund. Days of practice mode may be ahead.
CREATE FUNCTION fund_earning_is_of_share() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NEW; END IF;
  IF NEW.on_day !~ '^\d{4}-\d\d-\d\d$'
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

-- The calls of members may cancel a withdrawal; that it was paid says the office, with a row of the act log.
CREATE FUNCTION withdrawal_is_paid_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (current_user LIKE 'uptick\_calls\_%' OR NOT EXISTS (SELECT FROM audit a
    WHERE a.subject_kind = 'withdrawal' AND a.subject_id = NEW.id AND a.xmin = pg_current_xact_id()::xid)) THEN
    RAISE EXCEPTION 'a withdrawal is paid by the office' USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER withdrawal_is_paid_by_office AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful' AND OLD.status <> 'successful')
  EXECUTE FUNCTION withdrawal_is_paid_by_office();

CREATE FUNCTION within_limits(
  who text, largest_stake bigint, stakes_after bigint, pnl_today bigint, pnl_week bigint, pnl_month bigint,
  business_now bigint
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM (
      SELECT field, CASE WHEN next_at <= business_now THEN next_value ELSE value END AS value
      FROM member_limit WHERE member_id = who
    ) AS set_by_member
    WHERE value IS NOT NULL AND CASE field
      WHEN 'maxStake' THEN largest_stake > value
      WHEN 'maxDailyLoss' THEN stakes_after - pnl_today > value
      WHEN 'maxWeeklyLoss' THEN stakes_after - pnl_week > value
      WHEN 'maxMonthlyLoss' THEN stakes_after - pnl_month > value
      WHEN 'excludedUntil' THEN business_now < value
      ELSE false END)
$$;

-- One that is credited at once is practice money, which request_is_posted() checks.
CREATE CONSTRAINT TRIGGER deposit_is_credited_by_office AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful' AND OLD.status <> 'successful')
  EXECUTE FUNCTION office_decides_row('deposit');

CREATE CONSTRAINT TRIGGER withdrawal_is_approved_by_office AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.approved_at IS NOT NULL AND OLD.approved_at IS NULL)
  EXECUTE FUNCTION office_decides_row('withdrawal');

-- Otherwise the money of a withdrawal could neither be paid nor returned.
CREATE FUNCTION hold_ends_with_request() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND EXISTS (SELECT FROM hold h JOIN withdrawal w ON w.id = h.ref_id
    WHERE h.id = NEW.hold_id AND h.ref_kind = 'withdrawal'
      AND (w.status = 'under_review' OR (w.ended_as = 'paid') IS DISTINCT FROM (NEW.outcome = 'posted'))) THEN
    RAISE EXCEPTION 'a hold ends with its withdrawal' USING ERRCODE = 'restrict_violation', TABLE = 'hold_resolution';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER hold_ends_with_request AFTER INSERT ON hold_resolution DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION hold_ends_with_request();

-- The newest rate published for the day or before; else that of the practice cycle; else none. Null if the engine has
-- published nothing.
CREATE FUNCTION fund_rate_of(of_day text) RETURNS integer LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(
    (SELECT r.value::integer FROM jsonb_each_text(p.rates->'from') r WHERE r.key COLLATE "C" <= of_day
      ORDER BY r.key COLLATE "C" DESC LIMIT 1),
    (p.rates->'cycle'->>mod(of_day::date - DATE '1970-01-01', nullif(jsonb_array_length(p.rates->'cycle'), 0)))::integer,
    0)
  FROM (SELECT operator_setting_of('fund_rates') AS rates) p WHERE p.rates IS NOT NULL
$$;

-- A rate is written once its day has begun somewhere; days of practice mode may be ahead.
CREATE FUNCTION fund_rate_is_published() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NEW; END IF;
  IF NEW.on_day !~ '^\d{4}-\d\d-\d\d$' OR NEW.per10k <> fund_rate_of(NEW.on_day)
     OR (NOT is_practice() AND NEW.on_day::date > (clock_timestamp() AT TIME ZONE 'UTC')::date) THEN
    RAISE EXCEPTION 'the rate of a day is the published one'
      USING ERRCODE = 'restrict_violation', TABLE = 'fund_rate';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER fund_rate_is_published BEFORE INSERT ON fund_rate
  FOR EACH ROW EXECUTE FUNCTION fund_rate_is_published();

CREATE FUNCTION deposit_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decision CONSTANT text[] := CASE
    WHEN NEW.reversed IS NOT NULL THEN '{status,reason,decided_at,decided_by,version,awaits_second,reversed}'
    WHEN OLD.awaits_second THEN '{awaits_second,confirmed_at,confirmed_by,version}'
    ELSE '{status,reason,decided_at,decided_by,version,awaits_second}' END;
BEGIN
  IF OLD.awaits_second THEN
    IF NEW.awaits_second OR (NEW.confirmed_at IS NULL) = (NEW.reversed IS NULL) THEN
      RAISE EXCEPTION 'a deposit is confirmed once' USING ERRCODE = 'restrict_violation', TABLE = 'deposit';
    END IF;
  ELSIF OLD.status <> 'under_review' OR NEW.status = 'under_review' OR NEW.reversed IS NOT NULL THEN
    RAISE EXCEPTION 'a request is decided once' USING ERRCODE = 'restrict_violation', TABLE = 'deposit';
  END IF;
  IF NEW.version <> OLD.version + 1 OR (to_jsonb(NEW) - decision) IS DISTINCT FROM (to_jsonb(OLD) - decision) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'restrict_violation', TABLE = 'deposit';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER deposit_decided_once BEFORE UPDATE ON deposit FOR EACH ROW EXECUTE FUNCTION deposit_guard();

CREATE CONSTRAINT TRIGGER deposit_is_confirmed_by_office AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.awaits_second) EXECUTE FUNCTION office_decides_row('deposit');

-- A credit is reversed as far as the money is there, and not while orders hold some of it.
CREATE FUNCTION deposit_is_reversed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  reversal posting%ROWTYPE;
BEGIN
  IF NOT venue_has_led() THEN RETURN NULL; END IF;
  SELECT * INTO reversal FROM posting p
    WHERE p.ref_kind = 'deposit' AND p.ref_id = NEW.id AND p.type = 'deposit_reversed' AND p.member_id = NEW.member_id;
  IF TG_OP = 'INSERT' OR coalesce(-reversal.amount, 0) <> NEW.reversed OR (NEW.reversed < NEW.amount
     AND (SELECT available + stakes FROM balance WHERE member_id = NEW.member_id) <> 0) THEN
    RAISE EXCEPTION 'a deposit is taken back as far as it is there'
      USING ERRCODE = 'restrict_violation', TABLE = 'deposit';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER deposit_is_reversed AFTER INSERT OR UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.reversed IS NOT NULL) EXECUTE FUNCTION deposit_is_reversed();

-- In minor units: what waits for a second person, and the lowest P&L since the first of it was credited. Neither it nor what
-- was won since is withdrawn, as it may have been won with money that never came. A loss frees none of it: otherwise money
-- that never came would pay for the loss, and win it back.
CREATE FUNCTION awaiting_since(of_member text) RETURNS TABLE (amount bigint, lowest_pnl bigint) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT waits.amount,
    (SELECT min(p.pnl_after) FROM posting p WHERE p.member_id = of_member AND p.id >= waits.since)
  FROM (
    SELECT sum(d.amount)::bigint AS amount, min(p.id) AS since
    FROM deposit d
      JOIN posting p ON p.ref_kind = 'deposit' AND p.ref_id = d.id AND p.type = 'deposit' AND p.member_id = d.member_id
    WHERE d.member_id = of_member AND d.awaits_second) waits
  WHERE waits.since IS NOT NULL
$$;

CREATE FUNCTION awaits_second_of(of_member text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((SELECT since.amount + greatest(0, b.pnl - since.lowest_pnl)
    FROM awaiting_since(of_member) since JOIN balance b ON b.member_id = of_member), 0)
$$;

-- Whatever takes money from where it can be taken back: a withdrawal, and a transfer to the fund.
CREATE FUNCTION awaiting_stays_available() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (SELECT available FROM balance WHERE member_id = NEW.member_id) < awaits_second_of(NEW.member_id) THEN
    RAISE EXCEPTION 'a deposit is withdrawn once a second person has confirmed it'
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'awaits_second_person';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER withdrawal_leaves_unconfirmed AFTER INSERT ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION awaiting_stays_available();
CREATE CONSTRAINT TRIGGER fund_leaves_unconfirmed AFTER INSERT ON fund_record DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.kind = 'deposit') EXECUTE FUNCTION awaiting_stays_available();
