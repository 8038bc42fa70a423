/**
 * Withdrawal accounts, deposits and withdrawals. Personal details are sealed with a key outside the database.
 * A request is decided once, and its row never goes.
 */
export const wallet = {
  id: 32,
  name: 'wallet',
  sql: `
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

CREATE FUNCTION withdrawal_account_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.unbound_at IS NOT NULL OR NEW.unbound_at IS NULL
     OR (to_jsonb(NEW) - '{unbound_at,unbound_by}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{unbound_at,unbound_by}'::text[]) THEN
    RAISE EXCEPTION 'an account is bound once and unbound once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER withdrawal_account_guard BEFORE UPDATE ON withdrawal_account
  FOR EACH ROW EXECUTE FUNCTION withdrawal_account_guard();
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
  CONSTRAINT deposit_decided CHECK ((status = 'under_review') = (decided_at IS NULL)
    AND (status = 'failed') = (reason IS NOT NULL))
);
CREATE INDEX deposit_of_member ON deposit (member_id, created_at DESC, id DESC);
CREATE INDEX deposit_of_day ON deposit (member_id, created_on);
CREATE INDEX deposit_open ON deposit (created_at) WHERE status = 'under_review';
CREATE TRIGGER deposit_decided_once BEFORE UPDATE ON deposit
  FOR EACH ROW EXECUTE FUNCTION decided_once('status', 'reason', 'decided_at', 'decided_by', 'version');
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
  CONSTRAINT withdrawal_decided CHECK (CASE status
    WHEN 'under_review' THEN decided_at IS NULL AND ended_as IS NULL AND reason IS NULL
    WHEN 'successful' THEN decided_at IS NOT NULL AND ended_as = 'paid' AND reason IS NULL
    ELSE decided_at IS NOT NULL AND ended_as IN ('refused', 'cancelled') AND reason IS NOT NULL END IS TRUE)
);
CREATE INDEX withdrawal_of_member ON withdrawal (member_id, created_at DESC, id DESC);
CREATE INDEX withdrawal_open ON withdrawal (created_at) WHERE status = 'under_review';
CREATE TRIGGER withdrawal_decided_once BEFORE UPDATE ON withdrawal
  FOR EACH ROW EXECUTE FUNCTION decided_once('status', 'ended_as', 'reason', 'decided_at', 'decided_by', 'version');
CREATE TRIGGER withdrawal_stays BEFORE DELETE ON withdrawal FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER withdrawal_no_truncate BEFORE TRUNCATE ON withdrawal EXECUTE FUNCTION deny_change();
`,
} as const
