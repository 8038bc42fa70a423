/**
 * Members may close their accounts. The row stays, so that the account's name is never given again and what law makes the
 * venue keep has an owner; what identifies or lets in the member goes. Nothing is added to a closed account: rows of
 * requests that were under way are refused (SQLSTATE UT003); what is written after an answer is left out.
 */
export const closedAccounts = {
  id: 143,
  name: 'closed accounts',
  sql: `
ALTER TABLE member
  ADD COLUMN closed_at bigint,
  ALTER COLUMN phone_hash DROP NOT NULL,
  ALTER COLUMN phone_masked DROP NOT NULL,
  ALTER COLUMN phone_sealed DROP NOT NULL,
  ALTER COLUMN password_hash DROP NOT NULL,
  ALTER COLUMN transaction_password_hash DROP NOT NULL,
  ADD CONSTRAINT member_closed CHECK (CASE WHEN closed_at IS NULL
    THEN num_nulls(phone_hash, phone_masked, phone_sealed, password_hash, transaction_password_hash) = 0
    ELSE num_nonnulls(phone_hash, phone_masked, phone_sealed, password_hash, transaction_password_hash,
      contact_email_sealed, withdrawals_rest_until) = 0
      AND nickname = '' AND NOT withdrawal_account_bound END);

CREATE FUNCTION is_closed(asked text) RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (SELECT FROM member WHERE id = asked AND closed_at IS NOT NULL)
$$;
CREATE FUNCTION throw_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'UT003', TABLE = TG_TABLE_NAME;
END
$$;
CREATE TRIGGER member_closed_stays BEFORE UPDATE OR DELETE ON member
  FOR EACH ROW WHEN (OLD.closed_at IS NOT NULL) EXECUTE FUNCTION throw_closed();

-- Waits for a closing in progress: a row is either there when the account closes, or refused.
CREATE FUNCTION closed_owner(asked text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  closed bigint;
BEGIN
  SELECT closed_at INTO closed FROM member WHERE id = asked FOR KEY SHARE;
  RETURN closed IS NOT NULL;
END
$$;
CREATE FUNCTION refuse_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF closed_owner(to_jsonb(NEW) ->> TG_ARGV[0]) THEN
    RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'UT003', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;
CREATE FUNCTION skip_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF closed_owner(NEW.member_id) THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;

-- A stake needs a balance, and what pays it back an open order: an account with either does not close.
CREATE TRIGGER posting_closed BEFORE INSERT ON posting FOR EACH ROW
  WHEN (NEW.type NOT IN ('stake', 'payout', 'refund')) EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER session_closed BEFORE INSERT ON session
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER deposit_closed BEFORE INSERT ON deposit
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER withdrawal_account_closed BEFORE INSERT ON withdrawal_account
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER upload_closed BEFORE INSERT ON upload
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER verification_closed BEFORE INSERT ON verification
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER service_message_closed BEFORE INSERT ON service_message
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER member_limit_closed BEFORE INSERT ON member_limit
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER password_request_closed BEFORE INSERT ON password_request
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER password_failure_closed BEFORE INSERT ON password_failure
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER password_recovery_code_closed BEFORE INSERT ON password_recovery_code
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER member_passkey_closed BEFORE INSERT ON member_passkey
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('owner_id');
CREATE TRIGGER member_totp_closed BEFORE INSERT ON member_totp
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('owner_id');
CREATE TRIGGER member_recovery_code_closed BEFORE INSERT ON member_recovery_code
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('owner_id');
CREATE TRIGGER member_code_failure_closed BEFORE INSERT ON member_code_failure
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('owner_id');
-- The message about a result is written a moment after the order, and a wrong try after its answer.
CREATE TRIGGER login_event_closed BEFORE INSERT ON login_event
  FOR EACH ROW EXECUTE FUNCTION skip_closed();
CREATE TRIGGER message_closed BEFORE INSERT ON message
  FOR EACH ROW EXECUTE FUNCTION skip_closed();

DROP TRIGGER service_message_stays ON service_message;
CREATE TRIGGER service_message_stays BEFORE DELETE ON service_message
  FOR EACH ROW WHEN (NOT is_closed(OLD.member_id)) EXECUTE FUNCTION deny_change();

CREATE OR REPLACE FUNCTION upload_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.used_at IS NOT NULL
     AND OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL
     AND (to_jsonb(NEW) - 'removed_at') = (to_jsonb(OLD) - 'removed_at')
     AND (OLD.used_by_kind = 'service_message' AND is_closed(OLD.member_id)
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
CREATE INDEX member_closed_at ON member (closed_at) WHERE closed_at IS NOT NULL;
`,
} as const
