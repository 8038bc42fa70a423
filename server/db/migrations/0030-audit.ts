/** What was done from the desk, by whom, to what: rows are only ever added. */
export const audit = {
  id: 30,
  name: 'audit',
  sql: `
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
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit EXECUTE FUNCTION deny_change();

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
`,
} as const
