/**
 * What a session of the calls could still decide in the place of the back office: credit a deposit, approve a withdrawal,
 * unbind a payout account, set the amount above which two persons approve. And what any session could: end a hold
 * without its request, or move the end of a rest of withdrawals.
 */
export const decidedByOffice = {
  id: 172,
  name: 'decided by office',
  sql: `
-- Whether this transaction has a row of the audit about the subject, and is not one of the calls of members.
CREATE FUNCTION office_decides(of_kind text, of_id text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT venue_has_led() OR (
    current_user NOT LIKE 'uptick\\_calls\\_%' AND current_user NOT LIKE 'uptick\\_engine\\_%'
    AND EXISTS (SELECT FROM audit a
      WHERE a.subject_kind = of_kind AND a.subject_id = of_id AND a.xmin = pg_current_xact_id()::xid))
$$;

CREATE FUNCTION office_decides_row() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT office_decides(TG_ARGV[0], NEW.id) THEN
    RAISE EXCEPTION 'a % is decided by the back office', TG_ARGV[0]
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
$$;

-- One that is credited at once is practice money: migration 152 checks it.
CREATE CONSTRAINT TRIGGER deposit_is_credited_by_office AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful' AND OLD.status <> 'successful')
  EXECUTE FUNCTION office_decides_row('deposit');

CREATE CONSTRAINT TRIGGER withdrawal_is_approved_by_office AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.approved_at IS NOT NULL AND OLD.approved_at IS NULL)
  EXECUTE FUNCTION office_decides_row('withdrawal');

-- A member unbinds by closing the account, and in no other way.
CREATE FUNCTION account_is_unbound_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT is_closed(NEW.member_id) AND NOT office_decides('withdrawal-account', NEW.id) THEN
    RAISE EXCEPTION 'a withdrawal account is unbound by the back office'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal_account';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER account_is_unbound_by_office AFTER UPDATE ON withdrawal_account DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.unbound_at IS NOT NULL AND OLD.unbound_at IS NULL)
  EXECUTE FUNCTION account_is_unbound_by_office();

CREATE FUNCTION threshold_is_set_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (to_jsonb(OLD)->>'key' = 'withdrawal_four_eyes_above' OR to_jsonb(NEW)->>'key' = 'withdrawal_four_eyes_above')
     AND NOT office_decides('limit', 'withdrawals') THEN
    RAISE EXCEPTION 'the amount for two persons is set by the back office'
      USING ERRCODE = 'restrict_violation', TABLE = 'setting';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER threshold_is_set_by_office AFTER INSERT OR UPDATE OR DELETE ON setting
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION threshold_is_set_by_office();

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

-- A rest is thirty days at most, the longest that the setting allows. It is never shortened, and ends earlier only with
-- the account.
CREATE FUNCTION rest_has_its_length() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND NEW.closed_at IS NULL AND (NEW.withdrawals_rest_until IS NULL
     OR NEW.withdrawals_rest_until < OLD.withdrawals_rest_until
     OR NEW.withdrawals_rest_until > 2592060000 + greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint)) THEN
    RAISE EXCEPTION 'a rest of withdrawals is not shortened, and thirty days at most' USING ERRCODE = 'restrict_violation', TABLE = 'member';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER rest_has_its_length BEFORE UPDATE ON member FOR EACH ROW
  WHEN (NEW.withdrawals_rest_until IS DISTINCT FROM OLD.withdrawals_rest_until) EXECUTE FUNCTION rest_has_its_length();
`,
} as const
