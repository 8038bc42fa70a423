/** Asked-for passwords, as hashes until they are decided, and wrong tries of passwords by members who are logged in. */
export const passwordRequests = {
  id: 35,
  name: 'password requests',
  sql: `
CREATE TABLE password_request (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  session_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  new_hash text,
  status text NOT NULL CHECK (status IN ('under_review', 'successful', 'failed')),
  reason text,
  created_at bigint NOT NULL,
  decided_at bigint,
  decided_by text,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT password_request_decided CHECK ((status = 'under_review') = (decided_at IS NULL)
    AND (status = 'under_review') = (new_hash IS NOT NULL) AND (status = 'failed') = (reason IS NOT NULL))
);
CREATE UNIQUE INDEX password_request_open ON password_request (member_id, kind) WHERE status = 'under_review';
CREATE INDEX password_request_newest ON password_request (created_at DESC, id DESC);
CREATE TRIGGER password_request_decided_once BEFORE UPDATE ON password_request FOR EACH ROW
  EXECUTE FUNCTION decided_once('status', 'reason', 'decided_at', 'decided_by', 'version', 'new_hash');
CREATE TRIGGER password_request_stays BEFORE DELETE ON password_request FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER password_request_no_truncate BEFORE TRUNCATE ON password_request EXECUTE FUNCTION deny_change();

CREATE TABLE password_failure (
  member_id text NOT NULL REFERENCES member (id),
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  failures integer NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (member_id, kind)
);
`,
} as const
