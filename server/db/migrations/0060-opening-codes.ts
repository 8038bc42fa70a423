/** Codes of the desk that open accounts. What a code was issued for never changes. */
export const openingCodes = {
  id: 60,
  name: 'opening codes',
  sql: `
CREATE TABLE opening_code (
  code text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  issued_at bigint NOT NULL,
  issued_by text NOT NULL,
  uses integer CHECK (uses > 0)
);
CREATE INDEX opening_code_newest ON opening_code (no DESC);
CREATE INDEX member_opened_with ON member (opened_with);
CREATE INDEX member_newest ON member (created_at DESC, id DESC);
CREATE TRIGGER opening_code_stays BEFORE UPDATE OR DELETE ON opening_code
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER opening_code_no_truncate BEFORE TRUNCATE ON opening_code EXECUTE FUNCTION deny_change();
`,
} as const
