/**
 * The staff and their sessions. A name signs rows of the audit, so it never changes and its row never goes. Passwords,
 * enrolment codes and session ids are stored as hashes.
 */
export const staff = {
  id: 140,
  name: 'staff',
  sql: `
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
  CONSTRAINT staff_active CHECK ((status = 'active') <= (password_hash IS NOT NULL)),
  CONSTRAINT staff_enrolment CHECK ((enrolment_hash IS NULL) = (enrolment_expires_at IS NULL))
);
CREATE FUNCTION staff_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.name, OLD.name_key, OLD.created_at, OLD.created_by)
     IS DISTINCT FROM (NEW.id, NEW.name, NEW.name_key, NEW.created_at, NEW.created_by) THEN
    RAISE EXCEPTION 'who a staff account is never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER staff_guard BEFORE UPDATE ON staff FOR EACH ROW EXECUTE FUNCTION staff_guard();
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
CREATE INDEX audit_actor ON audit (actor);
`,
} as const
