/**
 * For roles that own nothing: the lease is locked with the owner's rights, and what checks rows reads the venue's own
 * tables, whatever temporary ones a session has.
 */
export const runRoles = {
  id: 153,
  name: 'run roles',
  sql: `
-- Nobody else adds a link to the chain of the audit.
ALTER FUNCTION link_audit() SECURITY DEFINER;
ALTER FUNCTION held_term(bigint) SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
-- Not those that read no table and run for each row of orders: a setting of a function costs as much as the rest of it.
DO $$
DECLARE
  check_function regprocedure;
BEGIN
  FOR check_function IN
    SELECT DISTINCT t.tgfoid::regprocedure FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND p.proname NOT IN ('deny_change', 'decided_once', 'orders_guard', 'orders_source_guard')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', check_function);
  END LOOP;
END
$$;
ALTER FUNCTION compact_flushes(bigint) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION prune_chunks(integer, bigint[]) SET search_path = pg_catalog, public, pg_temp;

-- A password changes with a request that was decided, or a code that was used, in the same transaction; it goes when its
-- member closes the account.
CREATE FUNCTION password_has_cause(of_member text, of_kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM password_request r WHERE r.member_id = of_member AND r.kind = of_kind
    AND r.status = 'successful' AND NOT r.recovery AND r.xmin = pg_current_xact_id()::xid)
  OR EXISTS (SELECT FROM password_recovery_code c WHERE c.member_id = of_member AND c.kind = of_kind
    AND c.used_at IS NOT NULL AND c.xmin = pg_current_xact_id()::xid)
$$;
CREATE FUNCTION member_password_is_caused() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() OR (NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL) THEN RETURN NULL; END IF;
  IF (NEW.password_hash, NEW.transaction_password_hash)
       IS NOT DISTINCT FROM (OLD.password_hash, OLD.transaction_password_hash)
     OR (NEW.password_hash IS DISTINCT FROM OLD.password_hash AND NOT password_has_cause(NEW.id, 'login'))
     OR (NEW.transaction_password_hash IS DISTINCT FROM OLD.transaction_password_hash
       AND NOT password_has_cause(NEW.id, 'transaction')) THEN
    RAISE EXCEPTION 'a password changes with its request'
      USING ERRCODE = 'restrict_violation', TABLE = 'member';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER member_password_is_caused AFTER UPDATE OF password_hash, transaction_password_hash ON member
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION member_password_is_caused();

-- A password of the staff changes with a row of the audit about that person, in the same transaction.
CREATE FUNCTION staff_password_is_audited() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND NOT EXISTS (SELECT FROM audit a WHERE a.subject_kind = 'staff' AND a.subject_id = NEW.id
    AND a.xmin = pg_current_xact_id()::xid) THEN
    RAISE EXCEPTION 'a password of the staff changes with its row of the audit'
      USING ERRCODE = 'restrict_violation', TABLE = 'staff';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER staff_password_is_audited AFTER UPDATE OF password_hash ON staff
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION staff_password_is_audited();

-- Whether money is practice money, and which, is decided once: postings are checked with it.
CREATE FUNCTION setting_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() THEN
    RAISE EXCEPTION 'the setting % never changes', OLD.key
      USING ERRCODE = 'restrict_violation', TABLE = 'setting';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER setting_guard BEFORE UPDATE OR DELETE ON setting
  FOR EACH ROW WHEN (OLD.key IN ('mode', 'currency')) EXECUTE FUNCTION setting_guard();
`,
} as const
