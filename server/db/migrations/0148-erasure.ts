/**
 * What law makes the venue keep of a closed account ends after a term: then what is sealed of verifications and payouts is
 * replaced, and nothing else of these rows changes. Photos of closed accounts may go.
 */
export const erasure = {
  id: 148,
  name: 'erasure',
  sql: `
CREATE TABLE erased_member (
  member_id text PRIMARY KEY REFERENCES member (id),
  at bigint NOT NULL
);
CREATE TRIGGER erased_member_stays BEFORE UPDATE OR DELETE ON erased_member
  FOR EACH ROW EXECUTE FUNCTION deny_change();

CREATE FUNCTION only_erases(before jsonb, after jsonb, sealed text) RETURNS boolean LANGUAGE sql AS $$
  SELECT before - sealed = after - sealed AND is_closed(before ->> 'member_id')
$$;
DROP TRIGGER verification_decided_once ON verification;
CREATE TRIGGER verification_decided_once BEFORE UPDATE ON verification
  FOR EACH ROW WHEN (NOT only_erases(to_jsonb(OLD), to_jsonb(NEW), 'person_sealed'))
  EXECUTE FUNCTION verification_guard();
DROP TRIGGER withdrawal_account_guard ON withdrawal_account;
CREATE TRIGGER withdrawal_account_guard BEFORE UPDATE ON withdrawal_account
  FOR EACH ROW WHEN (NOT only_erases(to_jsonb(OLD), to_jsonb(NEW), 'details_sealed'))
  EXECUTE FUNCTION withdrawal_account_guard();
DROP TRIGGER withdrawal_decided_once ON withdrawal;
CREATE TRIGGER withdrawal_decided_once BEFORE UPDATE ON withdrawal
  FOR EACH ROW WHEN (NOT only_erases(to_jsonb(OLD), to_jsonb(NEW), 'account_sealed'))
  EXECUTE FUNCTION withdrawal_guard();

CREATE OR REPLACE FUNCTION upload_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.used_at IS NOT NULL
     AND OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL
     AND (to_jsonb(NEW) - 'removed_at') = (to_jsonb(OLD) - 'removed_at')
     AND (is_closed(OLD.member_id)
       OR OLD.used_by_kind = 'verification'
       AND EXISTS (SELECT FROM verification WHERE id = OLD.used_by_id AND status = 'rejected')) THEN
    RETURN NEW;
  END IF;
  IF OLD.used_at IS NOT NULL THEN
    RAISE EXCEPTION 'a used upload stays as it is' USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF NEW.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'an unused upload is deleted, not removed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
`,
} as const
