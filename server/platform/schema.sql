-- Attach with: CREATE TRIGGER NAME BEFORE UPDATE OR DELETE ON TABLE
--   FOR EACH ROW EXECUTE FUNCTION deny_change();
-- With the argument 'prune', deletes pass in a transaction that did SET LOCAL uptick.prune = 'on'.
-- For TRUNCATE attach a second, statement-level trigger with the same function.
CREATE FUNCTION deny_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_NARGS > 0 AND TG_ARGV[0] = 'prune'
     AND current_setting('uptick.prune', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% on table % is denied: its rows are never changed', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END
$$;

-- For tables of requests that somebody decides: a request is decided once, in one version, and nothing else of it
-- changes. The arguments name the columns that the decision may write.
CREATE FUNCTION decided_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'under_review' OR NEW.status = 'under_review' THEN
    RAISE EXCEPTION 'a request is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.version <> OLD.version + 1
     OR (to_jsonb(NEW) - TG_ARGV::text[]) IS DISTINCT FROM (to_jsonb(OLD) - TG_ARGV::text[]) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

-- What of the schema this database has: number 0 is the baseline, the others are the changes after it.
CREATE TABLE schema_version (
  number integer PRIMARY KEY,
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- The venue's own marks, by key.
CREATE TABLE setting (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The first answer that a rule gave to each money-moving call; its row is also the claim on the key.
CREATE TABLE idempotency (
  member_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (member_id, method, path, key)
);
CREATE INDEX idempotency_age ON idempotency USING brin (created_at);
CREATE TRIGGER idempotency_append_only BEFORE UPDATE OR DELETE ON idempotency
  FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
CREATE TRIGGER idempotency_no_truncate BEFORE TRUNCATE ON idempotency EXECUTE FUNCTION deny_change();

-- Who leads. One row; each leader adds one to its term, and every statement of a leader names the term that it was
-- given: a statement of an earlier term fails, whatever its process believes.
CREATE TABLE lease (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  term bigint NOT NULL,
  -- {id, host, pid, since}: id is part of the application_name of all its sessions.
  holder jsonb NOT NULL,
  -- Where it can be reached: host:port.
  address text NOT NULL
);
INSERT INTO lease (term, holder, address) VALUES (0, '{}', '');
CREATE TRIGGER lease_no_truncate BEFORE TRUNCATE ON lease EXECUTE FUNCTION deny_change();

-- Counts on while the holder lives, also before its first flush.
CREATE SEQUENCE lease_beat;

-- Members and their sessions. Secrets are stored as hashes; a phone as a keyed hash, a mask and a sealed text; a
-- contact address sealed.
CREATE TABLE member (
  id text PRIMARY KEY,
  account text NOT NULL,
  phone_hash text CONSTRAINT member_phone_unique UNIQUE,
  phone_masked text,
  phone_sealed bytea,
  password_hash text,
  transaction_password_hash text,
  nickname text NOT NULL,
  contact_email_sealed bytea,
  level integer NOT NULL DEFAULT 1 CHECK (level BETWEEN 1 AND 5),
  credit_score integer NOT NULL DEFAULT 100,
  verification text NOT NULL DEFAULT 'none'
    CHECK (verification IN ('none', 'under_review', 'verified', 'rejected')),
  withdrawal_account_bound boolean NOT NULL DEFAULT false,
  opening_code text NOT NULL CONSTRAINT member_opening_code_unique UNIQUE,
  opened_with text NOT NULL,
  created_at bigint NOT NULL,
  -- Until when withdrawals rest, and why.
  withdrawals_rest_until bigint,
  withdrawals_rest_cause text
    CHECK (withdrawals_rest_cause IN ('password_recovered', 'second_factor', 'account_bound', 'login_denied')),
  closed_at bigint,
  -- How often all devices of the account have become unknown. It is part of what their cookies prove.
  device_epoch integer NOT NULL DEFAULT 0 CHECK (device_epoch >= 0),
  -- In which language the member last used the app; null until the app was opened once.
  language text CONSTRAINT member_language
    CHECK (language IN ('zh-CN', 'zh-TW', 'en', 'ja', 'th', 'vi', 'id', 'ko', 'fr', 'de')),
  CONSTRAINT member_withdrawals_rest
    CHECK ((withdrawals_rest_until IS NULL) = (withdrawals_rest_cause IS NULL)),
  CONSTRAINT member_closed CHECK (CASE WHEN closed_at IS NULL
    THEN num_nulls(phone_hash, phone_masked, phone_sealed, password_hash, transaction_password_hash) = 0
    ELSE num_nonnulls(phone_hash, phone_masked, phone_sealed, password_hash, transaction_password_hash,
      contact_email_sealed, withdrawals_rest_until) = 0
      AND nickname = '' AND NOT withdrawal_account_bound END)
);
CREATE UNIQUE INDEX member_account_unique ON member (lower(account));
CREATE INDEX member_opened_with ON member (opened_with);
CREATE INDEX member_newest ON member (created_at DESC, id DESC);
CREATE INDEX member_closed_at ON member (closed_at) WHERE closed_at IS NOT NULL;
CREATE TRIGGER member_stays BEFORE DELETE ON member FOR EACH ROW EXECUTE FUNCTION deny_change();

CREATE TABLE session (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  sid_hash text NOT NULL UNIQUE,
  csrf_hash text NOT NULL,
  device text NOT NULL,
  ip text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL
);
CREATE INDEX session_member ON session (member_id);
CREATE INDEX session_last_seen ON session (last_seen_at);

-- Closed accounts whose term of keeping is over: what is sealed of their verifications and payouts was replaced, and
-- nothing else of those rows changed.
CREATE TABLE erased_member (
  member_id text PRIMARY KEY REFERENCES member (id),
  at bigint NOT NULL
);
CREATE TRIGGER erased_member_stays BEFORE UPDATE OR DELETE ON erased_member
  FOR EACH ROW EXECUTE FUNCTION deny_change();

-- Keyed hashes of sealed fields, and of the beginnings of names, by which a member is found.
CREATE TABLE sealed_index (
  kind text NOT NULL CHECK (kind IN ('name', 'namePart', 'idNumber', 'payee')),
  hash text NOT NULL,
  member_id text NOT NULL REFERENCES member (id),
  -- The row that the field is sealed in.
  row_id text NOT NULL,
  PRIMARY KEY (kind, hash, row_id)
);
CREATE INDEX sealed_index_row ON sealed_index (row_id);

-- What the operator has set, as far as the checks of the database need it: the engine writes it. The newest row of a
-- key applies.
CREATE TABLE operator_setting (
  key text NOT NULL,
  since_at bigint NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (key, since_at)
);
CREATE TRIGGER operator_setting_append_only BEFORE UPDATE OR DELETE ON operator_setting
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER operator_setting_no_truncate BEFORE TRUNCATE ON operator_setting EXECUTE FUNCTION deny_change();

CREATE FUNCTION lease_grows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.term = OLD.term + 1 THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the term of the lease grows by one and never goes' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER lease_grows BEFORE UPDATE OR DELETE ON lease FOR EACH ROW EXECUTE FUNCTION lease_grows();

-- Locks the lease for the transaction, so that no new term begins before it ends, and returns the term.
CREATE FUNCTION held_term(asked bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM lease WHERE term = asked FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'term % is over', asked USING ERRCODE = 'UT001', TABLE = 'lease';
  END IF;
  RETURN asked;
END
$$;

-- Whether a venue has led this database: only then its results and money have a log and causes behind them.
CREATE FUNCTION venue_has_led() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT term > 0 FROM lease $$;

CREATE FUNCTION is_practice() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM setting WHERE key = 'mode' AND value = '"practice"')
$$;

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

CREATE FUNCTION operator_setting_of(of_key text) RETURNS jsonb LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT s.value FROM operator_setting s WHERE s.key = of_key ORDER BY s.since_at DESC LIMIT 1
$$;
