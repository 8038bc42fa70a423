/**
 * The balance fund. What a member holds is confirmed or pending share; both together are the ledger's `fund`, and the
 * database refuses a commit where they are not. A day is earned once a member, at a rate that stays as it was.
 */
export const fund = {
  id: 50,
  name: 'fund',
  sql: `
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
  CONSTRAINT fund_lot_remaining CHECK (remaining >= 0 AND remaining <= amount)
);
CREATE INDEX fund_lot_of_member ON fund_lot (member_id, no DESC);
CREATE INDEX fund_lot_left ON fund_lot (member_id, no) WHERE remaining > 0;
CREATE UNIQUE INDEX fund_lot_earnings ON fund_lot (member_id) WHERE kind = 'earnings';

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
  CONSTRAINT fund_record_mode CHECK ((kind = 'withdrawal') = (mode IS NOT NULL)),
  CONSTRAINT fund_record_hold CHECK ((mode IS NOT DISTINCT FROM 'standard') = (hold_id IS NOT NULL))
);
CREATE INDEX fund_record_of_member ON fund_record (member_id, no DESC);
CREATE INDEX fund_record_due ON fund_record (member_id, on_day) WHERE status = 'under_review';

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
CREATE TABLE fund_rate (
  on_day text PRIMARY KEY,
  per10k integer NOT NULL CHECK (per10k >= 0)
);

CREATE TRIGGER fund_earning_append_only BEFORE UPDATE OR DELETE ON fund_earning
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_earning_no_truncate BEFORE TRUNCATE ON fund_earning EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_rate_append_only BEFORE UPDATE OR DELETE ON fund_rate
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_rate_no_truncate BEFORE TRUNCATE ON fund_rate EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_account_stays BEFORE DELETE ON fund_account FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_lot_stays BEFORE DELETE ON fund_lot FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER fund_record_stays BEFORE DELETE ON fund_record FOR EACH ROW EXECUTE FUNCTION deny_change();

CREATE FUNCTION fund_matches_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
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
`,
} as const
