-- Real-name verification: submissions of members, name and number sealed. One that is open or verified bars the next.
CREATE TABLE verification (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  status text NOT NULL CHECK (status IN ('under_review', 'verified', 'rejected')),
  nationality text NOT NULL,
  person_sealed bytea NOT NULL,
  front_upload_id text NOT NULL REFERENCES upload (id),
  back_upload_id text NOT NULL REFERENCES upload (id),
  reason text,
  submitted_at bigint NOT NULL,
  decided_at bigint,
  decided_by text,
  version integer NOT NULL,
  CONSTRAINT verification_version UNIQUE (member_id, version),
  CONSTRAINT verification_decided CHECK ((status = 'under_review') = (decided_at IS NULL)
    AND (status = 'rejected') = (reason IS NOT NULL))
);
CREATE UNIQUE INDEX verification_one ON verification (member_id) WHERE status <> 'rejected';
CREATE INDEX verification_newest ON verification (submitted_at DESC, id DESC);
CREATE INDEX verification_rejected ON verification (decided_at) WHERE status = 'rejected';
CREATE TRIGGER verification_stays BEFORE DELETE ON verification FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER verification_no_truncate BEFORE TRUNCATE ON verification EXECUTE FUNCTION deny_change();

-- Asked-for passwords, as hashes until they are decided, and wrong tries of passwords by members who are logged in.
CREATE TABLE password_request (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  session_id text,
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  new_hash text,
  status text NOT NULL CHECK (status IN ('under_review', 'successful', 'failed')),
  reason text,
  created_at bigint NOT NULL,
  decided_at bigint,
  decided_by text,
  version integer NOT NULL DEFAULT 1,
  -- By somebody who forgot a password, and so has no session.
  recovery boolean NOT NULL DEFAULT false,
  -- What showed that it is the member.
  proven_by text CHECK (proven_by IN ('password', 'passkey', 'code')),
  CONSTRAINT password_request_proven CHECK (recovery = (proven_by IS NULL)),
  CONSTRAINT password_request_decided CHECK ((status = 'under_review') = (decided_at IS NULL)
    AND (status = 'under_review' AND NOT recovery) = (new_hash IS NOT NULL)
    AND recovery = (session_id IS NULL) AND (status = 'failed') = (reason IS NOT NULL))
);
CREATE INDEX password_request_newest ON password_request (created_at DESC, id DESC);
CREATE UNIQUE INDEX password_request_open ON password_request (member_id, kind, recovery)
  WHERE status = 'under_review';
CREATE TRIGGER password_request_stays BEFORE DELETE ON password_request FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER password_request_no_truncate BEFORE TRUNCATE ON password_request EXECUTE FUNCTION deny_change();

CREATE TABLE password_failure (
  member_id text NOT NULL REFERENCES member (id),
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  failures integer NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (member_id, kind)
);

-- The thread of a member with customer service, whose words are sealed.
CREATE TABLE service_message (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES member (id),
  sender text NOT NULL CHECK (sender IN ('member', 'desk')),
  body_sealed bytea NOT NULL,
  upload_id text,
  at bigint NOT NULL,
  -- When the other side has seen it.
  read_at bigint
);
CREATE INDEX service_message_of_member ON service_message (member_id, no DESC);
CREATE INDEX service_message_unread ON service_message (no) WHERE sender = 'member' AND read_at IS NULL;

-- What the staff noted about a member, whose words are sealed. No member sees it. It goes when the rest of a closed
-- account is erased.
CREATE TABLE member_note (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES member (id),
  author text NOT NULL,
  body_sealed bytea NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX member_note_of_member ON member_note (member_id, no DESC);
CREATE TRIGGER member_note_never_changes BEFORE UPDATE ON member_note FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER member_note_no_truncate BEFORE TRUNCATE ON member_note EXECUTE FUNCTION deny_change();

-- Codes of the office that open accounts. What a code was issued for never changes; it is revoked once.
CREATE TABLE opening_code (
  code text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  issued_at bigint NOT NULL,
  issued_by text NOT NULL,
  uses integer CHECK (uses > 0),
  revoked_at bigint,
  revoked_by text,
  CONSTRAINT opening_code_revoked CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
CREATE INDEX opening_code_newest ON opening_code (no DESC);
CREATE TRIGGER opening_code_no_truncate BEFORE TRUNCATE ON opening_code EXECUTE FUNCTION deny_change();

-- What all nodes count together against guessing: failed log-ins, and the captchas that were answered.

-- The key is a keyed hash of what failed: an account with an address or a device, an account, or an address.
CREATE TABLE login_failure (
  key text PRIMARY KEY,
  failures integer NOT NULL CHECK (failures >= 0),
  at bigint NOT NULL,
  -- What "at" was before the last count, for an attempt that turns out not to be a failure.
  previous_at bigint NOT NULL
);
CREATE INDEX login_failure_at ON login_failure (at);

CREATE TABLE used_captcha (
  id text PRIMARY KEY,
  expires_at bigint NOT NULL
);
CREATE INDEX used_captcha_expires_at ON used_captcha (expires_at);

-- Passkeys, authenticator apps (TOTP) and recovery codes of members, the wrong codes that they entered, and the
-- single-use tickets that were used.
CREATE TABLE member_passkey (
  id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES member (id),
  credential_id text NOT NULL CONSTRAINT member_passkey_credential UNIQUE,
  public_key bytea NOT NULL,
  -- The authenticator's count of signatures; 0 for ever if it has none.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports jsonb NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX member_passkey_owner ON member_passkey (owner_id);

CREATE TABLE member_totp (
  owner_id text PRIMARY KEY REFERENCES member (id),
  secret_sealed bytea NOT NULL,
  -- The time step of the newest code that was used: it and older ones are not valid again.
  last_step bigint NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE member_recovery_code (
  owner_id text NOT NULL REFERENCES member (id),
  code_hash text NOT NULL,
  used_at bigint,
  PRIMARY KEY (owner_id, code_hash)
);

CREATE TABLE member_code_failure (
  owner_id text NOT NULL REFERENCES member (id),
  failures integer NOT NULL CHECK (failures >= 0),
  at bigint NOT NULL,
  -- A keyed hash of where the codes came from; empty for all devices together that were not known.
  origin text NOT NULL,
  PRIMARY KEY (owner_id, origin)
);
CREATE INDEX member_code_failure_at ON member_code_failure (at);

CREATE TABLE used_ticket (
  id text PRIMARY KEY,
  expires_at bigint NOT NULL
);
CREATE INDEX used_ticket_expires_at ON used_ticket (expires_at);

-- Requests by people who forgot a password. They are stored unread, and a job makes a request of those that name a
-- member's account and phone: so an answer depends on neither.
CREATE TABLE password_recovery_inbox (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  account text NOT NULL,
  phone_hash text NOT NULL,
  at bigint NOT NULL
);

-- The code of an approved request. It works once, until it expires.
CREATE TABLE password_recovery_code (
  request_id text PRIMARY KEY REFERENCES password_request (id),
  member_id text NOT NULL REFERENCES member (id),
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  code_hash text NOT NULL UNIQUE,
  expires_at bigint NOT NULL,
  used_at bigint,
  -- Null if one person approved. A few wrong tries of it end the code.
  first_code_hash text,
  first_code_failures integer NOT NULL DEFAULT 0
);
CREATE INDEX password_recovery_code_member ON password_recovery_code (member_id);

-- Log-ins of members, for the member to see.
CREATE TABLE login_event (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  device text NOT NULL,
  network text NOT NULL CHECK (network IN ('local', 'ipv4', 'ipv6')),
  method text NOT NULL CHECK (method IN ('password', 'code', 'passkey')),
  result text NOT NULL CHECK (result IN ('succeeded', 'failed')),
  -- Whether this account was used on the device before.
  known boolean NOT NULL,
  denied_at bigint,
  CONSTRAINT login_event_denied CHECK (denied_at IS NULL OR result = 'succeeded')
);
CREATE INDEX login_event_newest ON login_event (member_id, at DESC, id DESC);
CREATE INDEX login_event_at ON login_event (at);

-- Closing an account and opening another with the same phone does not end an exclusion that a member set for himself.
CREATE TABLE kept_exclusion (
  phone_hash text PRIMARY KEY,
  value bigint,
  next_value bigint,
  next_at bigint
);

CREATE FUNCTION is_closed(asked text) RETURNS boolean LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member WHERE id = asked AND closed_at IS NOT NULL)
$$;

CREATE FUNCTION upload_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE TRIGGER upload_guard BEFORE UPDATE OR DELETE ON upload FOR EACH ROW EXECUTE FUNCTION upload_guard();

CREATE TRIGGER password_request_decided_once BEFORE UPDATE ON password_request FOR EACH ROW
  EXECUTE FUNCTION decided_once('status', 'reason', 'decided_at', 'decided_by', 'version', 'new_hash');

CREATE FUNCTION opening_code_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL
     OR (to_jsonb(NEW) - ARRAY['revoked_at', 'revoked_by'])
        IS DISTINCT FROM (to_jsonb(OLD) - ARRAY['revoked_at', 'revoked_by']) THEN
    RAISE EXCEPTION 'a code is revoked once, and nothing else of it changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER opening_code_guard BEFORE UPDATE OR DELETE ON opening_code
  FOR EACH ROW EXECUTE FUNCTION opening_code_guard();

CREATE FUNCTION verification_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

CREATE FUNCTION throw_closed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'UT003', TABLE = TG_TABLE_NAME;
END
$$;
CREATE TRIGGER member_closed_stays BEFORE UPDATE OR DELETE ON member
  FOR EACH ROW WHEN (OLD.closed_at IS NOT NULL) EXECUTE FUNCTION throw_closed();

-- Waits for a closing in progress: a row is either there when the account closes, or refused.
CREATE FUNCTION closed_owner(asked text) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  closed bigint;
BEGIN
  SELECT closed_at INTO closed FROM member WHERE id = asked FOR KEY SHARE;
  RETURN closed IS NOT NULL;
END
$$;

CREATE FUNCTION refuse_closed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF closed_owner(to_jsonb(NEW) ->> TG_ARGV[0]) THEN
    RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'UT003', TABLE = TG_TABLE_NAME;
  END IF;
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
CREATE TRIGGER member_note_closed BEFORE INSERT ON member_note
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
CREATE TRIGGER price_alert_closed BEFORE INSERT ON price_alert
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER push_subscription_closed BEFORE INSERT ON push_subscription
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE TRIGGER message_mute_closed BEFORE INSERT ON message_mute
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');

CREATE FUNCTION skip_closed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF closed_owner(NEW.member_id) THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;
-- The message about a result is written a moment after the order, and a wrong try after its answer.
CREATE TRIGGER login_event_closed BEFORE INSERT ON login_event
  FOR EACH ROW EXECUTE FUNCTION skip_closed();
CREATE TRIGGER message_closed BEFORE INSERT ON message
  FOR EACH ROW EXECUTE FUNCTION skip_closed();

CREATE TRIGGER service_message_stays BEFORE DELETE ON service_message
  FOR EACH ROW WHEN (NOT is_closed(OLD.member_id)) EXECUTE FUNCTION deny_change();
CREATE TRIGGER member_note_stays BEFORE DELETE ON member_note
  FOR EACH ROW WHEN (NOT is_closed(OLD.member_id)) EXECUTE FUNCTION deny_change();

CREATE FUNCTION only_erases(before jsonb, after jsonb, sealed text) RETURNS boolean LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT before - sealed = after - sealed AND is_closed(before ->> 'member_id')
$$;

CREATE TRIGGER verification_decided_once BEFORE UPDATE ON verification
  FOR EACH ROW WHEN (NOT only_erases(to_jsonb(OLD), to_jsonb(NEW), 'person_sealed'))
  EXECUTE FUNCTION verification_guard();

CREATE TRIGGER withdrawal_account_guard BEFORE UPDATE ON withdrawal_account
  FOR EACH ROW WHEN (NOT only_erases(to_jsonb(OLD), to_jsonb(NEW), 'details_sealed'))
  EXECUTE FUNCTION withdrawal_account_guard();

CREATE TRIGGER withdrawal_decided_once BEFORE UPDATE ON withdrawal
  FOR EACH ROW WHEN (NOT only_erases(to_jsonb(OLD), to_jsonb(NEW), 'account_sealed'))
  EXECUTE FUNCTION withdrawal_guard();

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

-- Who a member is never changes; a phone goes when the account closes.
CREATE FUNCTION member_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.id, NEW.account, NEW.opening_code, NEW.opened_with, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.account, OLD.opening_code, OLD.opened_with, OLD.created_at)
     OR (NEW.phone_hash <> OLD.phone_hash) THEN
    RAISE EXCEPTION 'who a member is never changes' USING ERRCODE = 'restrict_violation', TABLE = 'member';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER member_guard BEFORE UPDATE ON member FOR EACH ROW EXECUTE FUNCTION member_guard();

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

CREATE CONSTRAINT TRIGGER name_is_verified_by_office AFTER UPDATE ON verification DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'verified' AND OLD.status <> 'verified')
  EXECUTE FUNCTION office_decides_row('verification');

CREATE CONSTRAINT TRIGGER name_begins_unverified AFTER INSERT ON verification DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'verified') EXECUTE FUNCTION office_decides_row('verification');

CREATE FUNCTION member_is_verified_by_office() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (current_user LIKE 'uptick\_calls\_%' OR current_user LIKE 'uptick\_engine\_%') THEN
    RAISE EXCEPTION 'a member is verified by the office' USING ERRCODE = 'restrict_violation', TABLE = 'member';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER member_is_verified_by_office BEFORE UPDATE ON member FOR EACH ROW
  WHEN (NEW.verification = 'verified' AND OLD.verification <> 'verified') EXECUTE FUNCTION member_is_verified_by_office();
CREATE TRIGGER member_begins_unverified BEFORE INSERT ON member FOR EACH ROW
  WHEN (NEW.verification = 'verified') EXECUTE FUNCTION member_is_verified_by_office();

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
     OR NEW.first_code_failures < OLD.first_code_failures
     OR (to_jsonb(NEW) - '{expires_at,used_at,first_code_failures}'::text[]) IS DISTINCT FROM
        (to_jsonb(OLD) - '{expires_at,used_at,first_code_failures}'::text[]) THEN
    RAISE EXCEPTION 'a code is used once, before its end'
      USING ERRCODE = 'restrict_violation', TABLE = 'password_recovery_code';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER recovery_code_guard BEFORE INSERT OR UPDATE ON password_recovery_code
  FOR EACH ROW EXECUTE FUNCTION recovery_code_guard();
