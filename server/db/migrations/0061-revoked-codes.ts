/** The desk may take a code back: that alone of its row changes, and once. */
export const revokedCodes = {
  id: 61,
  name: 'revoked codes',
  sql: `
ALTER TABLE opening_code ADD COLUMN revoked_at bigint, ADD COLUMN revoked_by text;
ALTER TABLE opening_code ADD CONSTRAINT opening_code_revoked CHECK ((revoked_at IS NULL) = (revoked_by IS NULL));
DROP TRIGGER opening_code_stays ON opening_code;

CREATE FUNCTION opening_code_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
`,
} as const
