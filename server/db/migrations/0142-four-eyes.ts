/**
 * What one person of the staff proposed and another one decides, freezes of accounts, withdrawals that are approved first
 * and paid then, and verifications that are taken back.
 */
export const fourEyes = {
  id: 142,
  name: 'four eyes',
  sql: `
CREATE TABLE proposal (
  id text PRIMARY KEY,
  act text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  member_id text REFERENCES member (id),
  params text NOT NULL,
  proposed_by text NOT NULL,
  proposed_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'confirmed', 'declined', 'cancelled')),
  decided_by text,
  decided_at bigint,
  reason text,
  CONSTRAINT proposal_decided CHECK ((status = 'open') = (decided_by IS NULL)
    AND (status = 'open') = (decided_at IS NULL) AND (status = 'declined') = (reason IS NOT NULL)),
  -- Nobody decides what they proposed; only the proposer takes it back.
  CONSTRAINT proposal_two_persons CHECK (CASE status
    WHEN 'open' THEN true
    WHEN 'cancelled' THEN decided_by IN (proposed_by, 'expired')
    ELSE decided_by <> proposed_by END)
);
CREATE UNIQUE INDEX proposal_open ON proposal (act, subject_kind, subject_id) WHERE status = 'open';
CREATE INDEX proposal_newest ON proposal (proposed_at DESC, id DESC);
CREATE FUNCTION proposal_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'open' OR NEW.status = 'open'
     OR (to_jsonb(NEW) - '{status,decided_by,decided_at,reason}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{status,decided_by,decided_at,reason}'::text[]) THEN
    RAISE EXCEPTION 'a proposal is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER proposal_guard BEFORE UPDATE ON proposal FOR EACH ROW EXECUTE FUNCTION proposal_guard();
CREATE TRIGGER proposal_stays BEFORE DELETE ON proposal FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER proposal_no_truncate BEFORE TRUNCATE ON proposal EXECUTE FUNCTION deny_change();

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
CREATE FUNCTION member_freeze_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER member_freeze_stays BEFORE DELETE ON member_freeze FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER member_freeze_no_truncate BEFORE TRUNCATE ON member_freeze EXECUTE FUNCTION deny_change();

ALTER TABLE withdrawal ADD COLUMN approved_at bigint, ADD COLUMN approved_by text, ADD COLUMN reference text,
  ADD CONSTRAINT withdrawal_approved CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
  ADD CONSTRAINT withdrawal_reference CHECK (reference IS NULL OR status = 'successful');
CREATE FUNCTION withdrawal_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  decision CONSTANT text[] := '{status,ended_as,reason,decided_at,decided_by,version,approved_at,approved_by,reference}';
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
DROP TRIGGER withdrawal_decided_once ON withdrawal;
CREATE TRIGGER withdrawal_decided_once BEFORE UPDATE ON withdrawal
  FOR EACH ROW EXECUTE FUNCTION withdrawal_guard();

CREATE FUNCTION verification_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (OLD.status = 'under_review' AND NEW.status <> 'under_review'
          OR OLD.status = 'verified' AND NEW.status = 'rejected') THEN
    RAISE EXCEPTION 'a request is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.version <> OLD.version + 1
     OR (to_jsonb(NEW) - '{status,reason,decided_at,decided_by,version}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{status,reason,decided_at,decided_by,version}'::text[]) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
DROP TRIGGER verification_decided_once ON verification;
CREATE TRIGGER verification_decided_once BEFORE UPDATE ON verification
  FOR EACH ROW EXECUTE FUNCTION verification_guard();
`,
} as const
