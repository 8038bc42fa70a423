/**
 * Each row of the audit gets a link, in the order of the commits: its hash covers the hash before it and the row. Links are
 * added at the end of the transaction, when it takes no more locks, so that no two transactions wait for each other.
 */
export const auditChain = {
  id: 145,
  name: 'audit chain',
  sql: `
CREATE TABLE audit_link (
  no bigint PRIMARY KEY,
  audit_id bigint NOT NULL CONSTRAINT audit_link_once UNIQUE,
  hash text NOT NULL
);
-- The newest link. Its lock puts transactions in order.
CREATE TABLE audit_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  no bigint NOT NULL,
  hash text NOT NULL
);
INSERT INTO audit_head (no, hash) VALUES (0, repeat('0', 64));

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
CREATE FUNCTION link_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM link_audit_row(NEW);
  RETURN NULL;
END
$$;
CREATE FUNCTION audit_head_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.no <> OLD.no + 1 THEN
    RAISE EXCEPTION 'the audit grows by one row at a time' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_head_guard BEFORE UPDATE ON audit_head
  FOR EACH ROW EXECUTE FUNCTION audit_head_guard();
CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_head_no_truncate BEFORE TRUNCATE ON audit_head EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_link_append_only BEFORE UPDATE OR DELETE ON audit_link
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_link_no_truncate BEFORE TRUNCATE ON audit_link EXECUTE FUNCTION deny_change();
CREATE CONSTRAINT TRIGGER audit_linked AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION link_audit();

-- Rows of before: the trigger's lock on the table keeps others out meanwhile.
DO $$
DECLARE
  earlier audit;
BEGIN
  FOR earlier IN SELECT * FROM audit ORDER BY id LOOP
    PERFORM link_audit_row(earlier);
  END LOOP;
END
$$;

CREATE INDEX audit_member ON audit (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX audit_at ON audit (at);
-- Postings are added in the order of time: blocks of the table are found by it at almost no cost.
CREATE INDEX posting_at ON posting USING brin (at);
`,
} as const
