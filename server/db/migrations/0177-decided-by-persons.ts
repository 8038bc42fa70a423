/**
 * What a session of the calls could still decide in the place of the back office: verify a name, approve a password and
 * use the code of it, sign the audit as a member of staff. And what one person could: unbind a payout account, approve a
 * password, freeze an account, confirm what somebody proposed who no longer works here. Holds for every role, from the
 * first term on.
 */
export const decidedByPersons = {
  id: 177,
  name: 'decided by persons',
  sql: `
-- As migration 174, but a proposal counts only as long as its proposer may decide its act.
CREATE FUNCTION may_decide(of_name text, of_act text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM staff s WHERE s.name = of_name AND s.status = 'active' AND decides(of_act, s.role))
$$;
CREATE OR REPLACE FUNCTION proposal_has_persons() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NULL; END IF;
  IF NEW.decided_by = 'expired' AND NEW.status = 'cancelled' AND TG_OP = 'UPDATE' THEN
    IF NEW.expires_at > greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint) THEN
      -- The calls, which end those that are over, do not read the staff.
      IF current_user LIKE 'uptick\\_calls\\_%' OR may_decide(NEW.proposed_by, NEW.act) THEN
        RAISE EXCEPTION 'a proposal is not over' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
      END IF;
    END IF;
    RETURN NULL;
  END IF;
  IF current_user LIKE 'uptick\\_calls\\_%' OR current_user LIKE 'uptick\\_engine\\_%' OR NOT EXISTS (
      SELECT FROM audit a WHERE a.subject_kind = 'proposal' AND a.subject_id = NEW.id
        AND a.actor = coalesce(NEW.decided_by, NEW.proposed_by) AND a.xmin = pg_current_xact_id()::xid)
     OR NOT EXISTS (SELECT FROM staff s WHERE s.name = coalesce(NEW.decided_by, NEW.proposed_by) AND s.status = 'active'
       AND (NEW.status = 'cancelled' OR decides(NEW.act, s.role)))
     OR (NEW.status = 'confirmed' AND NOT may_decide(NEW.proposed_by, NEW.act)) THEN
    RAISE EXCEPTION 'a proposal is made and decided by members of staff'
      USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
  END IF;
  RETURN NULL;
END
$$;

-- Whether two persons decide in this transaction, or one suffices.
CREATE FUNCTION two_decide(of_act text, of_kind text, of_id text, with_params jsonb DEFAULT '{}') RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT four_eyes_are_needed() OR confirmed_by(of_act, of_kind, of_id, with_params) IS NOT NULL
$$;

CREATE CONSTRAINT TRIGGER name_is_verified_by_office AFTER UPDATE ON verification DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'verified' AND OLD.status <> 'verified')
  EXECUTE FUNCTION office_decides_row('verification');
CREATE CONSTRAINT TRIGGER name_begins_unverified AFTER INSERT ON verification DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'verified') EXECUTE FUNCTION office_decides_row('verification');
CREATE FUNCTION member_is_verified_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (current_user LIKE 'uptick\\_calls\\_%' OR current_user LIKE 'uptick\\_engine\\_%') THEN
    RAISE EXCEPTION 'a member is verified by the back office' USING ERRCODE = 'restrict_violation', TABLE = 'member';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER member_is_verified_by_office BEFORE UPDATE ON member FOR EACH ROW
  WHEN (NEW.verification = 'verified' AND OLD.verification <> 'verified') EXECUTE FUNCTION member_is_verified_by_office();
CREATE TRIGGER member_begins_unverified BEFORE INSERT ON member FOR EACH ROW
  WHEN (NEW.verification = 'verified') EXECUTE FUNCTION member_is_verified_by_office();

-- By the member alone if the operator says so. Null while a build leads that does not write it, beside nodes of this one.
CREATE FUNCTION password_request_is_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led()
     OR (NOT NEW.recovery AND coalesce((operator_setting_of('passwords')->>'selfService')::boolean, true)) THEN
    RETURN NULL;
  END IF;
  IF NOT office_decides('password-request', NEW.id) THEN
    RAISE EXCEPTION 'a password is approved by the back office'
      USING ERRCODE = 'restrict_violation', TABLE = 'password_request';
  END IF;
  IF NOT two_decide('password-requests.approve', 'password-request', NEW.id) THEN
    RAISE EXCEPTION 'two persons approve a password'
      USING ERRCODE = 'restrict_violation', TABLE = 'password_request', CONSTRAINT = 'two_persons';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER password_request_is_decided AFTER INSERT OR UPDATE ON password_request
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'successful')
  EXECUTE FUNCTION password_request_is_decided();

-- The code of a request that is approved in this transaction. It is used once, before its end, and never changes.
CREATE FUNCTION recovery_code_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NEW; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.used_at IS NOT NULL OR NOT EXISTS (SELECT FROM password_request r WHERE r.id = NEW.request_id
        AND (r.member_id, r.kind) = (NEW.member_id, NEW.kind) AND r.recovery AND r.status = 'successful'
        AND r.xmin = pg_current_xact_id()::xid) THEN
      RAISE EXCEPTION 'a code is of a request that is approved'
        USING ERRCODE = 'restrict_violation', TABLE = 'password_recovery_code';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.used_at IS NOT NULL OR NEW.expires_at > OLD.expires_at
     OR (NEW.used_at IS NOT NULL AND OLD.expires_at <= (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1))
     OR (to_jsonb(NEW) - '{expires_at,used_at}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{expires_at,used_at}'::text[]) THEN
    RAISE EXCEPTION 'a code is used once, before its end'
      USING ERRCODE = 'restrict_violation', TABLE = 'password_recovery_code';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER recovery_code_guard BEFORE INSERT OR UPDATE ON password_recovery_code
  FOR EACH ROW EXECUTE FUNCTION recovery_code_guard();

-- As migration 172, and by two persons.
CREATE OR REPLACE FUNCTION account_is_unbound_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF is_closed(NEW.member_id) THEN RETURN NULL; END IF;
  IF NOT office_decides('withdrawal-account', NEW.id) THEN
    RAISE EXCEPTION 'a withdrawal account is unbound by the back office'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal_account';
  END IF;
  IF venue_has_led() AND NOT two_decide('withdrawal-accounts.unbind', 'withdrawal-account', NEW.id) THEN
    RAISE EXCEPTION 'two persons unbind a withdrawal account'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal_account', CONSTRAINT = 'two_persons';
  END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION freeze_is_by_two() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  params CONSTANT jsonb := CASE TG_OP WHEN 'INSERT'
    THEN jsonb_build_object('reason', NEW.reason, 'tellMember', NEW.tell_member) ELSE '{}' END;
BEGIN
  IF venue_has_led() AND (NOT office_decides('freeze', NEW.id)
     OR NOT two_decide(TG_ARGV[0], 'member', NEW.member_id, params)) THEN
    RAISE EXCEPTION 'two persons freeze an account'
      USING ERRCODE = 'restrict_violation', TABLE = 'member_freeze', CONSTRAINT = 'two_persons';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER freeze_is_by_two AFTER INSERT ON member_freeze DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION freeze_is_by_two('members.freeze');
CREATE CONSTRAINT TRIGGER renewal_is_by_two AFTER UPDATE ON member_freeze DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.renewals > OLD.renewals) EXECUTE FUNCTION freeze_is_by_two('members.renew-freeze');

-- With the owner's rights: the calls do not read the staff.
CREATE FUNCTION audit_is_not_of_staff() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND EXISTS (SELECT FROM staff s WHERE s.name = NEW.actor) THEN
    RAISE EXCEPTION 'a member of staff acts in the back office' USING ERRCODE = 'restrict_violation', TABLE = 'audit';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_is_not_of_staff BEFORE INSERT ON audit
  FOR EACH ROW WHEN (current_user LIKE 'uptick\\_calls\\_%') EXECUTE FUNCTION audit_is_not_of_staff();
`,
} as const
