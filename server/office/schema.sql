-- News, highlights and pages: an article is one thing in several languages; ids are unique over all kinds.
CREATE TABLE article (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('news', 'highlight', 'page')),
  -- Came with the build: a newer build may bring a newer text, until the office publishes its own.
  seeded boolean NOT NULL,
  published_at bigint NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE INDEX article_of_kind ON article (kind, no DESC);

CREATE TABLE article_text (
  article_id text NOT NULL REFERENCES article (id),
  lang text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  -- Null: when the article was published.
  changed_at bigint,
  PRIMARY KEY (article_id, lang)
);

-- The staff and their sessions. A name signs rows of the act log, so it never changes and its row never goes. Passwords,
-- enrolment codes and session ids are stored as hashes.
CREATE TABLE staff (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- The name in the spelling by which names are compared.
  name_key text NOT NULL CONSTRAINT staff_name_unique UNIQUE,
  role text NOT NULL CHECK (role IN ('support', 'finance', 'compliance', 'content', 'admin')),
  status text NOT NULL CHECK (status IN ('invited', 'active', 'disabled')),
  password_hash text,
  enrolment_hash text CONSTRAINT staff_enrolment_unique UNIQUE,
  enrolment_expires_at bigint,
  created_at bigint NOT NULL,
  created_by text NOT NULL,
  last_seen_at bigint,
  version integer NOT NULL DEFAULT 1,
  device_epoch integer NOT NULL DEFAULT 0 CHECK (device_epoch >= 0),
  -- How the name looks (the skeleton of UTS 39, which the application computes): no two look the same.
  look_key text NOT NULL CONSTRAINT staff_look_unique UNIQUE,
  CONSTRAINT staff_active CHECK ((status = 'active') <= (password_hash IS NOT NULL)),
  CONSTRAINT staff_enrolment CHECK ((enrolment_hash IS NULL) = (enrolment_expires_at IS NULL))
);
CREATE TRIGGER staff_stays BEFORE DELETE ON staff FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER staff_no_truncate BEFORE TRUNCATE ON staff EXECUTE FUNCTION deny_change();

CREATE TABLE staff_session (
  id text PRIMARY KEY,
  staff_id text NOT NULL REFERENCES staff (id),
  sid_hash text NOT NULL CONSTRAINT staff_session_sid_unique UNIQUE,
  device text NOT NULL,
  ip text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL
);
CREATE INDEX staff_session_staff ON staff_session (staff_id);

-- What one person of the staff proposed and another one decides.
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
  -- A keyed hash of the code that the first of two persons reads to a member who forgot a password.
  first_code_hash text CHECK (first_code_hash IS NULL OR act = 'password-requests.approve'),
  CONSTRAINT proposal_decided CHECK ((status = 'open') = (decided_by IS NULL)
    AND (status = 'open') = (decided_at IS NULL) AND (status = 'declined') = (reason IS NOT NULL)),
  -- Nobody decides what they proposed; only the proposer takes it back.
  CONSTRAINT proposal_two_persons CHECK (CASE status
    WHEN 'open' THEN true
    WHEN 'cancelled' THEN decided_by IN (proposed_by, 'expired')
    ELSE decided_by <> proposed_by END)
);
CREATE UNIQUE INDEX proposal_open ON proposal (act, subject_kind, subject_id) WHERE status = 'open';
-- Two persons do not credit a request and reject it at once.
CREATE UNIQUE INDEX proposal_one_of_request ON proposal (subject_kind, subject_id)
  WHERE status = 'open' AND subject_kind IN ('deposit', 'withdrawal');
CREATE INDEX proposal_newest ON proposal (proposed_at DESC, id DESC);
CREATE INDEX proposal_confirmed ON proposal (subject_id) WHERE status = 'confirmed';
CREATE INDEX proposal_declined ON proposal (subject_id) WHERE status = 'declined';
CREATE TRIGGER proposal_stays BEFORE DELETE ON proposal FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER proposal_no_truncate BEFORE TRUNCATE ON proposal EXECUTE FUNCTION deny_change();

-- What the first person wrote for the second, whose words are sealed. It never changes, and goes when the rest of the closed
-- account that the proposal is about is erased.
CREATE TABLE proposal_note (
  proposal_id text PRIMARY KEY REFERENCES proposal (id),
  member_id text REFERENCES member (id),
  body_sealed bytea NOT NULL
);
CREATE INDEX proposal_note_of_member ON proposal_note (member_id);
CREATE TRIGGER proposal_note_never_changes BEFORE UPDATE ON proposal_note
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER proposal_note_no_truncate BEFORE TRUNCATE ON proposal_note EXECUTE FUNCTION deny_change();
CREATE TRIGGER proposal_note_closed BEFORE INSERT ON proposal_note
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER proposal_note_stays BEFORE DELETE ON proposal_note
  FOR EACH ROW WHEN (OLD.member_id IS NULL OR NOT is_closed(OLD.member_id)) EXECUTE FUNCTION deny_change();

CREATE FUNCTION erase_proposal_notes() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM proposal_note WHERE member_id = NEW.member_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER erased_member_has_no_notes AFTER INSERT ON erased_member
  FOR EACH ROW EXECUTE FUNCTION erase_proposal_notes();

-- Passkeys, authenticator apps, recovery codes and wrong codes of the staff, in the form that members have them.
CREATE TABLE staff_passkey (
  id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES staff (id),
  credential_id text NOT NULL CONSTRAINT staff_passkey_credential UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports jsonb NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX staff_passkey_owner ON staff_passkey (owner_id);

CREATE TABLE staff_totp (
  owner_id text PRIMARY KEY REFERENCES staff (id),
  secret_sealed bytea NOT NULL,
  last_step bigint NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE staff_recovery_code (
  owner_id text NOT NULL REFERENCES staff (id),
  code_hash text NOT NULL,
  used_at bigint,
  PRIMARY KEY (owner_id, code_hash)
);

CREATE TABLE staff_code_failure (
  owner_id text NOT NULL REFERENCES staff (id),
  failures integer NOT NULL CHECK (failures >= 0),
  at bigint NOT NULL,
  -- A keyed hash of where the codes came from; empty for all devices together that were not known.
  origin text NOT NULL,
  PRIMARY KEY (owner_id, origin)
);
CREATE INDEX staff_code_failure_at ON staff_code_failure (at);

-- Every publish is a row that stays: all texts of the item after it. `article` and `article_text` are what members see.
CREATE TABLE content_version (
  article_id text NOT NULL REFERENCES article (id),
  version integer NOT NULL CHECK (version > 0),
  -- By language: {title, body, changedAt}.
  texts jsonb NOT NULL,
  -- Null: came with the build, or with the operator's folder of pages.
  author text,
  at bigint NOT NULL,
  PRIMARY KEY (article_id, version)
);
CREATE TRIGGER content_version_stays BEFORE UPDATE OR DELETE ON content_version
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER content_version_no_truncate BEFORE TRUNCATE ON content_version EXECUTE FUNCTION deny_change();

-- The amount above which two persons decide counts what one person has decided alone in the last 24 hours: of one
-- member, and in all. It holds for withdrawals, their payment, and deposits; a deposit without proof, or with one for
-- which another deposit was credited, takes two at any amount. One that a second person has not confirmed is credited, but neither it nor what was won since can be
-- withdrawn.

-- What one person decided alone, by the time of the database's flushes: no session of a decision chooses it. All who are
-- not of the staff are one person, whose name is empty. The number makes two decisions at once follow one another, in
-- every isolation.
CREATE TABLE lone_decision (
  person text NOT NULL,
  no bigint NOT NULL,
  member_id text NOT NULL REFERENCES member (id),
  subject_kind text NOT NULL CHECK (subject_kind IN ('deposit', 'withdrawal')),
  subject_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  at bigint NOT NULL,
  PRIMARY KEY (person, no)
);
CREATE INDEX lone_decision_at ON lone_decision (person, at);
CREATE TRIGGER lone_decision_append_only BEFORE UPDATE OR DELETE ON lone_decision
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER lone_decision_no_truncate BEFORE TRUNCATE ON lone_decision EXECUTE FUNCTION deny_change();

CREATE FUNCTION staff_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (OLD.id, OLD.name, OLD.name_key, OLD.look_key, OLD.created_at, OLD.created_by)
     IS DISTINCT FROM (NEW.id, NEW.name, NEW.name_key, NEW.look_key, NEW.created_at, NEW.created_by) THEN
    RAISE EXCEPTION 'who a staff account is never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER staff_guard BEFORE UPDATE ON staff FOR EACH ROW EXECUTE FUNCTION staff_guard();

CREATE FUNCTION proposal_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A password of the staff changes with a row of the act log about that person, in the same transaction.
CREATE FUNCTION staff_password_is_audited() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND NOT EXISTS (SELECT FROM audit a WHERE a.subject_kind = 'staff' AND a.subject_id = NEW.id
    AND a.xmin = pg_current_xact_id()::xid) THEN
    RAISE EXCEPTION 'a password of the staff changes with its row of the act log'
      USING ERRCODE = 'restrict_violation', TABLE = 'staff';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER staff_password_is_audited AFTER UPDATE OF password_hash ON staff
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION staff_password_is_audited();

-- As server/office/fourEyes: always in live mode, and in practice mode if the operator says so or two members of staff are active.
CREATE FUNCTION four_eyes_are_needed() RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT is_practice() OR coalesce((operator_setting_of('four_eyes')->>'always')::boolean, false)
    OR (SELECT count(*) FROM staff WHERE status = 'active') >= 2
$$;

-- Who confirmed, in this transaction, what another one proposed; null if nobody did.
CREATE FUNCTION confirmed_by(of_act text, of_kind text, of_id text, with_params jsonb) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.decided_by FROM proposal p
  WHERE p.act = of_act AND p.subject_kind = of_kind AND p.subject_id = of_id AND p.params::jsonb @> with_params
    AND p.status = 'confirmed' AND p.decided_by <> p.proposed_by AND p.xmin = pg_current_xact_id()::xid
$$;

-- Whether two persons decide in this transaction, or one suffices.
CREATE FUNCTION two_decide(of_act text, of_kind text, of_id text, with_params jsonb DEFAULT '{}') RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT four_eyes_are_needed() OR confirmed_by(of_act, of_kind, of_id, with_params) IS NOT NULL
$$;

-- A member unbinds by closing the account, and in no other way; the office, by two persons.
CREATE FUNCTION account_is_unbound_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF is_closed(NEW.member_id) THEN RETURN NULL; END IF;
  IF NOT office_decides('withdrawal-account', NEW.id) THEN
    RAISE EXCEPTION 'a withdrawal account is unbound by the office'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal_account';
  END IF;
  IF venue_has_led() AND NOT two_decide('withdrawal-accounts.unbind', 'withdrawal-account', NEW.id) THEN
    RAISE EXCEPTION 'two persons unbind a withdrawal account'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal_account', CONSTRAINT = 'two_persons';
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
  IF to_jsonb(OLD)->>'key' IS DISTINCT FROM 'withdrawal_four_eyes_above'
     AND to_jsonb(NEW)->>'key' IS DISTINCT FROM 'withdrawal_four_eyes_above' THEN RETURN NULL; END IF;
  IF NOT office_decides('limit', 'withdrawals')
     OR (venue_has_led() AND four_eyes_are_needed() AND (to_jsonb(NEW)->>'key' IS DISTINCT FROM 'withdrawal_four_eyes_above'
       OR confirmed_by('limits.withdrawals', 'limit', 'withdrawals',
         jsonb_build_object('twoPersonsAbove', to_jsonb(NEW)->'value'->'above')) IS NULL)) THEN
    RAISE EXCEPTION 'the amount for two persons is set by the office, by two persons'
      USING ERRCODE = 'restrict_violation', TABLE = 'setting';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER threshold_is_set_by_office AFTER INSERT OR UPDATE OR DELETE ON setting
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION threshold_is_set_by_office();

-- In minor units: the amount of the staff, or else that of the operator. Null if the
-- engine has published none.
CREATE FUNCTION two_persons_above() RETURNS numeric LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 100 * coalesce((SELECT s.value->>'above' FROM setting s WHERE s.key = 'withdrawal_four_eyes_above'),
    operator_setting_of('four_eyes')->>'above')::numeric
$$;

-- The roles of contract/office/roles.ts.
CREATE FUNCTION decides(of_act text, of_role text) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT of_role = ANY (CASE
    WHEN of_act IN ('withdrawals.approve', 'deposits.approve', 'withdrawals.reject', 'deposits.reject') THEN '{finance}'
    WHEN of_act = 'limits.withdrawals' OR of_act LIKE 'staff.%' THEN '{admin}'
    ELSE '{support,compliance}' END::text[])
$$;

-- A proposal counts only as long as its proposer may decide its act.
CREATE FUNCTION may_decide(of_name text, of_act text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM staff s WHERE s.name = of_name AND s.status = 'active' AND decides(of_act, s.role))
$$;

-- Whether what a proposal is about is decided, so that it cannot be proposed or confirmed any more.
CREATE FUNCTION is_decided(of_act text, of_kind text, of_id text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE of_kind
    WHEN 'deposit' THEN EXISTS (SELECT FROM deposit d
      WHERE d.id = of_id AND d.status <> 'under_review' AND NOT d.awaits_second)
    WHEN 'withdrawal' THEN EXISTS (SELECT FROM withdrawal w
      WHERE w.id = of_id AND (w.status <> 'under_review' OR (w.approved_at IS NOT NULL AND of_act <> 'withdrawals.reject')))
    WHEN 'withdrawal-account' THEN EXISTS (SELECT FROM withdrawal_account a
      WHERE a.id = of_id AND a.unbound_at IS NOT NULL)
    WHEN 'password-request' THEN EXISTS (SELECT FROM password_request r
      WHERE r.id = of_id AND r.status <> 'under_review')
    ELSE false END
$$;

-- It waits for who is just deciding the same.
CREATE FUNCTION proposal_can_be_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  CASE NEW.subject_kind
    WHEN 'deposit' THEN PERFORM FROM deposit WHERE id = NEW.subject_id FOR SHARE;
    WHEN 'withdrawal' THEN PERFORM FROM withdrawal WHERE id = NEW.subject_id FOR SHARE;
    WHEN 'withdrawal-account' THEN PERFORM FROM withdrawal_account WHERE id = NEW.subject_id FOR SHARE;
    WHEN 'password-request' THEN PERFORM FROM password_request WHERE id = NEW.subject_id FOR SHARE;
    ELSE RETURN NEW;
  END CASE;
  IF is_decided(NEW.act, NEW.subject_kind, NEW.subject_id) THEN
    RAISE EXCEPTION 'what is proposed is decided' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER proposal_can_be_decided BEFORE INSERT ON proposal
  FOR EACH ROW WHEN (NEW.status = 'open') EXECUTE FUNCTION proposal_can_be_decided();

-- A proposal ends with what it is about, unless it was confirmed in the same transaction: so at the commit.
CREATE FUNCTION proposal_ends_with_subject() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE proposal p SET status = 'cancelled', decided_by = 'expired', decided_at = venue_time()
  WHERE p.subject_kind = TG_ARGV[0] AND p.subject_id = NEW.id AND p.status = 'open'
    AND is_decided(p.act, p.subject_kind, p.subject_id);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER proposal_ends_with_deposit AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION proposal_ends_with_subject('deposit');
CREATE CONSTRAINT TRIGGER proposal_ends_with_withdrawal AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION proposal_ends_with_subject('withdrawal');
CREATE CONSTRAINT TRIGGER proposal_ends_with_account AFTER UPDATE ON withdrawal_account DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION proposal_ends_with_subject('withdrawal-account');
CREATE CONSTRAINT TRIGGER proposal_ends_with_password AFTER UPDATE ON password_request DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION proposal_ends_with_subject('password-request');

-- A proposal is made by one member of staff, in the open, and decided in a later transaction by another; each has a row of
-- the act log.
CREATE FUNCTION proposal_has_persons() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NULL; END IF;
  IF NEW.decided_by = 'expired' AND NEW.status = 'cancelled' AND TG_OP = 'UPDATE' THEN
    IF NEW.expires_at > greatest((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1),
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
       AND NOT is_decided(NEW.act, NEW.subject_kind, NEW.subject_id) THEN
      -- The calls, which end those that are over, do not read the staff.
      IF current_user LIKE 'uptick\_calls\_%' OR may_decide(NEW.proposed_by, NEW.act) THEN
        RAISE EXCEPTION 'a proposal is not over' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
      END IF;
    END IF;
    RETURN NULL;
  END IF;
  IF current_user LIKE 'uptick\_calls\_%' OR current_user LIKE 'uptick\_engine\_%' OR NOT EXISTS (
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

-- Nobody adds words to what another one has proposed, or later.
CREATE FUNCTION proposal_note_is_of_its_proposal() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND NOT EXISTS (SELECT FROM proposal p WHERE p.id = NEW.proposal_id
    AND p.member_id IS NOT DISTINCT FROM NEW.member_id AND p.xmin = pg_current_xact_id()::xid) THEN
    RAISE EXCEPTION 'a note is written with its proposal' USING ERRCODE = 'restrict_violation', TABLE = 'proposal';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER proposal_note_is_of_its_proposal BEFORE INSERT ON proposal_note
  FOR EACH ROW EXECUTE FUNCTION proposal_note_is_of_its_proposal();

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

CREATE FUNCTION venue_time() RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1), (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

-- In minor units: what a person decided alone in the last 24 hours, of one member or, if that is null, in all.
CREATE FUNCTION decided_alone(by_person text, of_member text, but_not text) RETURNS numeric LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(sum(d.amount), 0) FROM (
    SELECT DISTINCT l.subject_kind, l.subject_id, l.amount FROM lone_decision l
    WHERE l.person = by_person AND l.at > venue_time() - 86400000 AND l.subject_id <> but_not
      AND (of_member IS NULL OR l.member_id = of_member)) d
$$;

CREATE FUNCTION two_persons_above_in_all() RETURNS numeric LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(100 * (operator_setting_of('four_eyes')->>'inAll')::numeric, 10 * two_persons_above())
$$;

-- Refuses what takes two persons, and counts what does not. Called by triggers with the owner's rights.
CREATE FUNCTION decide_alone(by_name text, of_member text, of_kind text, of_id text, of_amount bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  by_person CONSTANT text := CASE WHEN EXISTS (SELECT FROM staff s WHERE s.name = by_name AND s.status = 'active')
    THEN by_name ELSE '' END;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('lone decision of ' || by_person, 0));
  IF venue_has_led() AND four_eyes_are_needed()
     AND (of_amount + decided_alone(by_person, of_member, of_id) > two_persons_above()
       OR of_amount + decided_alone(by_person, NULL, of_id) > two_persons_above_in_all()) THEN
    RAISE EXCEPTION 'two persons decide about this amount'
      USING ERRCODE = 'restrict_violation', TABLE = of_kind, CONSTRAINT = 'two_persons';
  END IF;
  INSERT INTO lone_decision (person, no, member_id, subject_kind, subject_id, amount, at)
  SELECT by_person, coalesce(max(l.no), 0) + 1, of_member, of_kind, of_id, of_amount, venue_time()
  FROM lone_decision l WHERE l.person = by_person;
END
$$;

CREATE FUNCTION amount_param(of_amount bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT jsonb_build_object('amount', (of_amount::numeric / 100)::numeric(20, 2)::text)
$$;

-- Approved first and paid then, or both at once. Nobody asks for a withdrawal that is approved.
CREATE FUNCTION withdrawal_is_approved_by_two() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  by_name CONSTANT text := coalesce(NEW.approved_by, NEW.decided_by);
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF venue_has_led() THEN
      RAISE EXCEPTION 'nobody asks for a withdrawal that is approved'
        USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal', CONSTRAINT = 'two_persons';
    END IF;
  ELSIF confirmed_by('withdrawals.approve', 'withdrawal', NEW.id, amount_param(NEW.amount)) IS DISTINCT FROM by_name THEN
    PERFORM decide_alone(by_name, NEW.member_id, 'withdrawal', NEW.id, NEW.amount);
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

-- By the member alone if the operator says so.
CREATE FUNCTION password_request_is_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led()
     OR (NOT NEW.recovery AND coalesce((operator_setting_of('passwords')->>'selfService')::boolean, true)) THEN
    RETURN NULL;
  END IF;
  IF NOT office_decides('password-request', NEW.id) THEN
    RAISE EXCEPTION 'a password is approved by the office'
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
    RAISE EXCEPTION 'a member of staff acts in the office' USING ERRCODE = 'restrict_violation', TABLE = 'audit';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_is_not_of_staff BEFORE INSERT ON audit
  FOR EACH ROW WHEN (current_user LIKE 'uptick\_calls\_%') EXECUTE FUNCTION audit_is_not_of_staff();

CREATE FUNCTION is_approved_by_two(of_withdrawal text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM proposal p WHERE p.act = 'withdrawals.approve' AND p.subject_kind = 'withdrawal'
    AND p.subject_id = of_withdrawal AND p.status = 'confirmed')
$$;

-- Who pays what another one approved, or what two persons have, decides nothing alone.
CREATE FUNCTION withdrawal_is_paid_by_two() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF is_approved_by_two(NEW.id)
     OR (NEW.decided_by <> NEW.approved_by AND may_decide(NEW.decided_by, 'withdrawals.approve')) THEN
    RETURN NULL;
  END IF;
  PERFORM decide_alone(NEW.decided_by, NEW.member_id, 'withdrawal', NEW.id, NEW.amount);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER withdrawal_is_paid_by_two AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful' AND OLD.status <> 'successful' AND OLD.approved_at IS NOT NULL)
  EXECUTE FUNCTION withdrawal_is_paid_by_two();

-- Whether another deposit was credited for the same picture. One such picture at a time, so that of two deposits that are
-- decided at once the second one sees the first.
CREATE FUNCTION proof_is_used(of_id text, of_proof text) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  picture CONSTANT text := (SELECT u.content_hash FROM upload u WHERE u.id = of_proof);
BEGIN
  IF picture IS NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('proof ' || picture, 0));
  RETURN EXISTS (SELECT FROM upload u JOIN deposit d ON d.proof_upload_id = u.id
    WHERE u.content_hash = picture AND d.id <> of_id AND d.status = 'successful');
END
$$;

CREATE FUNCTION deposit_is_confirmed_by_two() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  by_name CONSTANT text := coalesce(NEW.confirmed_by, NEW.decided_by);
  -- Also of one that still awaits a second person: another deposit with its picture, decided at once, waits for it.
  is_used CONSTANT boolean := proof_is_used(NEW.id, NEW.proof_upload_id);
BEGIN
  IF NEW.awaits_second
     OR confirmed_by('deposits.approve', 'deposit', NEW.id, amount_param(NEW.amount)) IS NOT DISTINCT FROM by_name THEN
    RETURN NULL;
  END IF;
  IF venue_has_led() AND four_eyes_are_needed() AND (OLD.awaits_second OR NEW.proof_upload_id IS NULL
     OR is_used) THEN
    RAISE EXCEPTION 'two persons confirm a deposit of this amount, or without a proof of its own'
      USING ERRCODE = 'restrict_violation', TABLE = 'deposit', CONSTRAINT = 'two_persons';
  END IF;
  PERFORM decide_alone(by_name, NEW.member_id, 'deposit', NEW.id, NEW.amount);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER deposit_is_confirmed_by_two AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'successful') EXECUTE FUNCTION deposit_is_confirmed_by_two();

-- Two persons take a credited deposit back, for the reason that both have read.
CREATE FUNCTION deposit_is_reversed_by_two() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  params CONSTANT jsonb := amount_param(NEW.amount) || jsonb_build_object('reason', NEW.reason);
BEGIN
  IF venue_has_led() AND four_eyes_are_needed()
     AND confirmed_by('deposits.reject', 'deposit', NEW.id, params) IS DISTINCT FROM NEW.decided_by THEN
    RAISE EXCEPTION 'two persons take back a credited deposit'
      USING ERRCODE = 'restrict_violation', TABLE = 'deposit', CONSTRAINT = 'two_persons';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER deposit_is_reversed_by_two AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.reversed IS NOT NULL) EXECUTE FUNCTION deposit_is_reversed_by_two();

-- As many persons reject an approved withdrawal as approved it, or as its amount needs now: it may be paid already.
CREATE FUNCTION withdrawal_is_refused_by_two() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  params CONSTANT jsonb := amount_param(NEW.amount) || jsonb_build_object('reason', NEW.reason);
BEGIN
  IF confirmed_by('withdrawals.reject', 'withdrawal', NEW.id, params) IS NOT DISTINCT FROM NEW.decided_by THEN
    RETURN NULL;
  END IF;
  IF venue_has_led() AND four_eyes_are_needed() AND is_approved_by_two(NEW.id) THEN
    RAISE EXCEPTION 'two persons reject what two persons approved'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal', CONSTRAINT = 'two_persons';
  END IF;
  PERFORM decide_alone(NEW.decided_by, NEW.member_id, 'withdrawal', NEW.id, NEW.amount);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER withdrawal_is_refused_by_two AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.ended_as = 'refused' AND OLD.approved_at IS NOT NULL)
  EXECUTE FUNCTION withdrawal_is_refused_by_two();

CREATE FUNCTION staff_name_is_plain() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Default_Ignorable_Code_Point.
  IF NEW.name ~ '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
     OR NEW.look_key IN ('venue', 'rnernber', 'desk', 'expired') THEN
    RAISE EXCEPTION 'a name of the staff is seen, and nobody else''s' USING ERRCODE = 'restrict_violation', TABLE = 'staff';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER staff_name_is_plain BEFORE INSERT ON staff FOR EACH ROW EXECUTE FUNCTION staff_name_is_plain();
