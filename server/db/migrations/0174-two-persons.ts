/**
 * What takes two persons takes them in the database too: a withdrawal above the amount that one person approves, and that
 * amount itself. And what the operator has set, as far as these checks need it: the engine writes it. Holds for every role,
 * from the first term on. The database sees names and rows of the audit, not persons.
 */
export const twoPersons = {
  id: 174,
  name: 'two persons',
  sql: `
-- The newest row of a key applies.
CREATE TABLE operator_setting (
  key text NOT NULL,
  since_at bigint NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (key, since_at)
);
CREATE TRIGGER operator_setting_append_only BEFORE UPDATE OR DELETE ON operator_setting
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER operator_setting_no_truncate BEFORE TRUNCATE ON operator_setting EXECUTE FUNCTION deny_change();
CREATE FUNCTION operator_setting_is_new() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM operator_setting s WHERE s.key = NEW.key AND s.since_at >= NEW.since_at)
     OR (venue_has_led() AND NEW.since_at < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1)) THEN
    RAISE EXCEPTION 'what the operator sets changes from now on'
      USING ERRCODE = 'restrict_violation', TABLE = 'operator_setting';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER operator_setting_is_new BEFORE INSERT ON operator_setting
  FOR EACH ROW EXECUTE FUNCTION operator_setting_is_new();
CREATE FUNCTION operator_setting_of(of_key text) RETURNS jsonb LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT s.value FROM operator_setting s WHERE s.key = of_key ORDER BY s.since_at DESC LIMIT 1
$$;

-- As server/fourEyes: always in live mode, and in practice mode if the operator says so or two members of staff are active.
CREATE FUNCTION four_eyes_are_needed() RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT is_practice() OR coalesce((operator_setting_of('four_eyes')->>'always')::boolean, false)
    OR (SELECT count(*) FROM staff WHERE status = 'active') >= 2
$$;

-- In minor units: the amount of the staff, or else that of the operator. Null while a build leads that does not write it,
-- beside nodes of this one.
CREATE FUNCTION two_persons_above() RETURNS numeric LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 100 * coalesce((SELECT s.value->>'above' FROM setting s WHERE s.key = 'withdrawal_four_eyes_above'),
    operator_setting_of('four_eyes')->>'above')::numeric
$$;

-- Who confirmed, in this transaction, what another one proposed; null if nobody did.
CREATE FUNCTION confirmed_by(of_act text, of_kind text, of_id text, with_params jsonb) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.decided_by FROM proposal p
  WHERE p.act = of_act AND p.subject_kind = of_kind AND p.subject_id = of_id AND p.params::jsonb @> with_params
    AND p.status = 'confirmed' AND p.decided_by <> p.proposed_by AND p.xmin = pg_current_xact_id()::xid
$$;

-- The roles of contract/backOffice/roles.ts.
CREATE FUNCTION decides(of_act text, of_role text) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT of_role = ANY (CASE
    WHEN of_act = 'withdrawals.approve' THEN '{finance}'
    WHEN of_act = 'limits.withdrawals' OR of_act LIKE 'staff.%' THEN '{admin}'
    ELSE '{support,compliance}' END::text[])
$$;

-- A proposal is made by one member of staff, in the open, and decided in a later transaction by another; each has a row of
-- the audit.
CREATE FUNCTION proposal_has_persons() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NULL; END IF;
  IF NEW.decided_by = 'expired' AND NEW.status = 'cancelled' AND TG_OP = 'UPDATE' THEN
    IF NEW.expires_at > greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint) THEN
      RAISE EXCEPTION 'a proposal is not over' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
    END IF;
    RETURN NULL;
  END IF;
  IF current_user LIKE 'uptick\\_calls\\_%' OR current_user LIKE 'uptick\\_engine\\_%' OR NOT EXISTS (
      SELECT FROM audit a WHERE a.subject_kind = 'proposal' AND a.subject_id = NEW.id
        AND a.actor = coalesce(NEW.decided_by, NEW.proposed_by) AND a.xmin = pg_current_xact_id()::xid)
     OR NOT EXISTS (SELECT FROM staff s WHERE s.name = coalesce(NEW.decided_by, NEW.proposed_by) AND s.status = 'active'
       AND (NEW.status = 'cancelled' OR decides(NEW.act, s.role))) THEN
    RAISE EXCEPTION 'a proposal is made and decided by members of staff'
      USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER proposal_has_persons AFTER INSERT OR UPDATE ON proposal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION proposal_has_persons();

CREATE FUNCTION proposal_waits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  made_now boolean;
BEGIN
  IF NOT venue_has_led() THEN RETURN NULL; END IF;
  -- Not in a savepoint, whose number would hide that it is of this transaction.
  SELECT p.xmin = pg_current_xact_id()::xid INTO made_now FROM proposal p WHERE p.id = NEW.id;
  IF NEW.status <> 'open' OR made_now IS NOT TRUE THEN
    RAISE EXCEPTION 'a proposal waits for another person' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER proposal_waits AFTER INSERT ON proposal FOR EACH ROW EXECUTE FUNCTION proposal_waits();

CREATE FUNCTION proposal_has_waited() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND EXISTS (SELECT FROM proposal p WHERE p.id = OLD.id AND p.xmin = pg_current_xact_id()::xid) THEN
    RAISE EXCEPTION 'a proposal waits for another person' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER proposal_has_waited BEFORE UPDATE ON proposal FOR EACH ROW EXECUTE FUNCTION proposal_has_waited();

-- Approved first and paid then, or both at once. Nobody asks for a withdrawal that is approved.
CREATE FUNCTION withdrawal_is_approved_by_two() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (TG_OP = 'INSERT'
     OR (NEW.amount > two_persons_above() AND four_eyes_are_needed()
       AND confirmed_by('withdrawals.approve', 'withdrawal', NEW.id,
         jsonb_build_object('amount', (NEW.amount::numeric / 100)::numeric(20, 2)::text))
         IS DISTINCT FROM coalesce(NEW.approved_by, NEW.decided_by))) THEN
    RAISE EXCEPTION 'two persons approve a withdrawal of this amount'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER withdrawal_is_approved_by_two AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((NEW.approved_at IS NOT NULL AND OLD.approved_at IS NULL)
    OR (NEW.status = 'successful' AND NEW.approved_at IS NULL))
  EXECUTE FUNCTION withdrawal_is_approved_by_two();
CREATE TRIGGER withdrawal_begins_unapproved AFTER INSERT ON withdrawal
  FOR EACH ROW WHEN (NEW.approved_at IS NOT NULL) EXECUTE FUNCTION withdrawal_is_approved_by_two();

-- As in migration 172, and by two persons.
CREATE OR REPLACE FUNCTION threshold_is_set_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF to_jsonb(OLD)->>'key' IS DISTINCT FROM 'withdrawal_four_eyes_above'
     AND to_jsonb(NEW)->>'key' IS DISTINCT FROM 'withdrawal_four_eyes_above' THEN RETURN NULL; END IF;
  IF NOT office_decides('limit', 'withdrawals')
     OR (venue_has_led() AND four_eyes_are_needed() AND (to_jsonb(NEW)->>'key' IS DISTINCT FROM 'withdrawal_four_eyes_above'
       OR confirmed_by('limits.withdrawals', 'limit', 'withdrawals',
         jsonb_build_object('twoPersonsAbove', to_jsonb(NEW)->'value'->'above')) IS NULL)) THEN
    RAISE EXCEPTION 'the amount for two persons is set by the back office, by two persons'
      USING ERRCODE = 'restrict_violation', TABLE = 'setting';
  END IF;
  RETURN NULL;
END
$$;
`,
} as const
