/** Real-name verification: submissions of members, name and number sealed. One that is open or verified bars the next. */
export const verification = {
  id: 33,
  name: 'verification',
  sql: `
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
CREATE TRIGGER verification_decided_once BEFORE UPDATE ON verification
  FOR EACH ROW EXECUTE FUNCTION decided_once('status', 'reason', 'decided_at', 'decided_by', 'version');
CREATE TRIGGER verification_stays BEFORE DELETE ON verification FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER verification_no_truncate BEFORE TRUNCATE ON verification EXECUTE FUNCTION deny_change();
`,
} as const
