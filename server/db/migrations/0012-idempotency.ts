/** The first answer that a rule gave to each money-moving call; its row is also the claim on the key. */
export const idempotency = {
  id: 12,
  name: 'idempotency',
  sql: `
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
`,
} as const
