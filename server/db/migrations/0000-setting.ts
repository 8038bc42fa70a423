/** The key-value table for the venue's own marks, and the guard that append-only tables attach. */
export const setting = {
  id: 0,
  name: 'setting',
  sql: `
CREATE TABLE setting (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

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
`,
} as const
