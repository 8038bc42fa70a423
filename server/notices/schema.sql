-- What the staff did, and to what: rows are only ever added.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  act text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  member_id text,
  details text NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_subject ON audit (subject_kind, subject_id);
CREATE INDEX audit_subject_id ON audit (subject_id);
CREATE INDEX audit_actor ON audit (actor);
CREATE INDEX audit_member ON audit (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX audit_at ON audit (at);
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit EXECUTE FUNCTION deny_change();

-- Pictures that members sent. The bytes lie encrypted in the data folder; a row is used up by one thing at most.
CREATE TABLE upload (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  purpose text NOT NULL CHECK (purpose IN ('id_front', 'id_back', 'deposit_proof', 'service')),
  type text NOT NULL CHECK (type IN ('image/jpeg', 'image/png', 'image/webp')),
  bytes integer NOT NULL CHECK (bytes > 0),
  created_at bigint NOT NULL,
  used_at bigint,
  used_by_kind text,
  used_by_id text,
  -- When the bytes were deleted; the row stays.
  removed_at bigint,
  -- Who of the staff sent it to the member.
  sent_by text,
  -- A keyed hash of the bytes of a proof of payment: the same picture under two deposits is shown to who decides.
  content_hash text,
  CONSTRAINT upload_use CHECK ((used_at IS NULL) = (used_by_kind IS NULL) AND (used_at IS NULL) = (used_by_id IS NULL)),
  CONSTRAINT upload_sent_by CHECK (sent_by IS NULL OR purpose = 'service')
);
CREATE INDEX upload_unused ON upload (created_at) WHERE used_at IS NULL;
CREATE INDEX upload_of_member ON upload (member_id) WHERE removed_at IS NULL;
CREATE INDEX upload_content ON upload (content_hash) WHERE content_hash IS NOT NULL;
CREATE TRIGGER upload_no_truncate BEFORE TRUNCATE ON upload EXECUTE FUNCTION deny_change();

-- What the venue tells a member.
CREATE TABLE message (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES member (id),
  category text NOT NULL CHECK (category IN ('trade', 'money', 'fund', 'account', 'notice')),
  key text NOT NULL,
  params jsonb NOT NULL,
  title text,
  body text,
  lang text,
  link text,
  at bigint NOT NULL,
  read_at bigint,
  CONSTRAINT message_text CHECK ((key = 'desk') = (title IS NOT NULL AND body IS NOT NULL AND lang IS NOT NULL))
);
CREATE INDEX message_of_member ON message (member_id, no DESC);
CREATE INDEX message_unread ON message (member_id) WHERE read_at IS NULL;
CREATE INDEX message_at ON message (at);
CREATE INDEX message_results ON message (member_id, at DESC) WHERE category = 'trade';
CREATE INDEX message_others ON message (member_id, at DESC, id DESC) WHERE category <> 'trade';

-- Who of the staff works on which waiting item.
CREATE TABLE queue_claim (
  queue text NOT NULL,
  item_id text NOT NULL,
  claimed_by text NOT NULL,
  until_at bigint NOT NULL,
  -- Since when the person holds it, with short pauses.
  since_at bigint NOT NULL,
  PRIMARY KEY (queue, item_id)
);

-- Each row of the act log gets a link, in the order of the commits: its hash covers the hash before it and the row. Links
-- are added at the end of the transaction, when it takes no more locks, so that no two transactions wait for each
-- other.
CREATE TABLE audit_link (
  no bigint PRIMARY KEY,
  audit_id bigint NOT NULL CONSTRAINT audit_link_once UNIQUE,
  hash text NOT NULL
);
CREATE TRIGGER audit_link_append_only BEFORE UPDATE OR DELETE ON audit_link
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_link_no_truncate BEFORE TRUNCATE ON audit_link EXECUTE FUNCTION deny_change();

-- The newest link. Its lock puts transactions in order.
CREATE TABLE audit_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  no bigint NOT NULL,
  hash text NOT NULL
);
INSERT INTO audit_head (no, hash) VALUES (0, repeat('0', 64));
CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_head_no_truncate BEFORE TRUNCATE ON audit_head EXECUTE FUNCTION deny_change();

-- Where notifications of members are sent to, for as long as the device is logged in, and those that wait to be sent.
CREATE TABLE push_subscription (
  session_id text PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  member_id text NOT NULL REFERENCES member (id),
  -- Of the address: a browser has one subscription, for all accounts.
  endpoint_hash text NOT NULL UNIQUE,
  -- Address and keys: anyone who has them can send notifications to the device.
  subscription_sealed bytea NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_subscription_of_member ON push_subscription (member_id);

CREATE TABLE push_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text NOT NULL REFERENCES push_subscription (session_id) ON DELETE CASCADE,
  payload jsonb NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX push_delivery_due ON push_delivery (next_at);
CREATE INDEX push_delivery_of_session ON push_delivery (session_id);

-- The kinds of messages that a member has muted.
CREATE TABLE message_mute (
  member_id text NOT NULL REFERENCES member (id),
  category text NOT NULL CHECK (category IN ('trade', 'money', 'fund', 'notice')),
  PRIMARY KEY (member_id, category)
);

CREATE FUNCTION link_audit_row(entry audit) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  head audit_head;
  line text;
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  line := '[' || entry.id || ',' || entry.at || ',' || to_json(entry.actor) || ',' || to_json(entry.act) || ','
    || to_json(entry.subject_kind) || ',' || to_json(entry.subject_id) || ','
    || coalesce(to_json(entry.member_id)::text, 'null') || ',' || to_json(entry.details) || ']';
  UPDATE audit_head
    SET no = head.no + 1, hash = encode(sha256(convert_to(head.hash || line, 'UTF8')), 'hex')
    RETURNING * INTO head;
  INSERT INTO audit_link (no, audit_id, hash) VALUES (head.no, entry.id, head.hash);
END
$$;

CREATE FUNCTION link_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM link_audit_row(NEW);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER audit_linked AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION link_audit();

CREATE FUNCTION audit_head_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.no <> OLD.no + 1 THEN
    RAISE EXCEPTION 'the act log grows by one row at a time' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_head_guard BEFORE UPDATE ON audit_head
  FOR EACH ROW EXECUTE FUNCTION audit_head_guard();

-- A row of the act log gets the next number, no other.
CREATE FUNCTION audit_is_next() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.id IS DISTINCT FROM currval(pg_get_serial_sequence('public.audit', 'id')) THEN
    RAISE EXCEPTION 'a row of the act log gets the next number' USING ERRCODE = 'restrict_violation', TABLE = 'audit';
  END IF;
  RETURN NEW;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
  RAISE EXCEPTION 'a row of the act log gets the next number' USING ERRCODE = 'restrict_violation', TABLE = 'audit';
END
$$;
CREATE TRIGGER audit_is_next BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_next();

-- Whether this transaction has a row of the act log about the subject, and is not one of the calls of members.
CREATE FUNCTION office_decides(of_kind text, of_id text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT venue_has_led() OR (
    current_user NOT LIKE 'uptick\_calls\_%' AND current_user NOT LIKE 'uptick\_engine\_%'
    AND EXISTS (SELECT FROM audit a
      WHERE a.subject_kind = of_kind AND a.subject_id = of_id AND a.xmin = pg_current_xact_id()::xid))
$$;

CREATE FUNCTION office_decides_row() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT office_decides(TG_ARGV[0], NEW.id) THEN
    RAISE EXCEPTION 'a % is decided by the office', TG_ARGV[0]
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
$$;
