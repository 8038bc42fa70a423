/**
 * The ledger. A posting is one balanced transaction: what it moved on each account, Σ = 0, and the member's balances
 * after it. Postings of a member are numbered from 1 without holes, each follows from the one before, and a balance
 * can only be what the newest posting says: no statement changes money without leaving one.
 */
export const ledger = {
  id: 11,
  name: 'ledger',
  sql: `
CREATE TABLE balance (
  member_id text PRIMARY KEY REFERENCES member (id),
  available bigint NOT NULL DEFAULT 0 CONSTRAINT balance_available CHECK (available >= 0),
  held bigint NOT NULL DEFAULT 0 CONSTRAINT balance_held CHECK (held >= 0),
  stakes bigint NOT NULL DEFAULT 0 CONSTRAINT balance_stakes CHECK (stakes >= 0),
  fund bigint NOT NULL DEFAULT 0 CONSTRAINT balance_fund CHECK (fund >= 0),
  pnl bigint NOT NULL DEFAULT 0,
  today_pnl bigint NOT NULL DEFAULT 0,
  today_on text NOT NULL DEFAULT '',
  version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

CREATE TABLE posting (
  member_id text NOT NULL,
  id bigint NOT NULL CHECK (id > 0),
  at bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('grant', 'stake', 'payout', 'refund', 'deposit', 'withdrawal_hold',
    'withdrawal_paid', 'withdrawal_returned', 'fund_in', 'fund_out', 'fund_earning', 'reset')),
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

CREATE VIEW ledger_leg AS
  SELECT p.member_id, p.id, p.at, p.type, leg.account, leg.amount
  FROM posting p, LATERAL (VALUES
    ('available', p.available), ('held', p.held), ('stakes', p.stakes), ('fund', p.fund),
    ('house', p.house), ('grants', p.grants), ('external', p.external)
  ) AS leg (account, amount)
  WHERE leg.amount <> 0;

CREATE FUNCTION posting_follows() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION balance_is_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.available <> 0 OR NEW.held <> 0 OR NEW.stakes <> 0 OR NEW.fund <> 0 OR NEW.pnl <> 0
       OR NEW.today_pnl <> 0 OR NEW.version <> 0 THEN
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

-- At the end of the statement: balance and postings change in one statement together.
CREATE TRIGGER posting_follows AFTER INSERT ON posting FOR EACH ROW EXECUTE FUNCTION posting_follows();
CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE ON posting
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER posting_no_truncate BEFORE TRUNCATE ON posting EXECUTE FUNCTION deny_change();
CREATE TRIGGER balance_is_posted AFTER INSERT OR UPDATE ON balance
  FOR EACH ROW EXECUTE FUNCTION balance_is_posted();
CREATE TRIGGER balance_stays BEFORE DELETE ON balance FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER balance_no_truncate BEFORE TRUNCATE ON balance EXECUTE FUNCTION deny_change();

CREATE TABLE hold (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES balance (member_id),
  source text NOT NULL CHECK (source IN ('available', 'fund')),
  amount bigint NOT NULL CHECK (amount > 0),
  ref_kind text NOT NULL,
  ref_id text NOT NULL,
  at bigint NOT NULL
);
CREATE TABLE hold_resolution (
  hold_id text PRIMARY KEY REFERENCES hold (id),
  outcome text NOT NULL CHECK (outcome IN ('posted', 'voided')),
  at bigint NOT NULL
);
CREATE TRIGGER hold_append_only BEFORE UPDATE OR DELETE ON hold
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER hold_no_truncate BEFORE TRUNCATE ON hold EXECUTE FUNCTION deny_change();
CREATE TRIGGER hold_resolution_append_only BEFORE UPDATE OR DELETE ON hold_resolution
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER hold_resolution_no_truncate BEFORE TRUNCATE ON hold_resolution EXECUTE FUNCTION deny_change();
`,
} as const
