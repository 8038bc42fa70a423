/** Pictures that members sent. The bytes lie encrypted in the data folder; a row is used up by one thing at most. */
export const uploads = {
  id: 31,
  name: 'uploads',
  sql: `
CREATE TABLE upload (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  purpose text NOT NULL CHECK (purpose IN ('id_front', 'id_back', 'deposit_proof', 'service')),
  type text NOT NULL CHECK (type IN ('image/jpeg', 'image/png', 'image/webp')),
  bytes integer NOT NULL CHECK (bytes > 0),
  created_at bigint NOT NULL,
  used_at bigint,
  used_by_kind text,
  used_by_id text,
  CONSTRAINT upload_use CHECK ((used_at IS NULL) = (used_by_kind IS NULL) AND (used_at IS NULL) = (used_by_id IS NULL))
);
CREATE INDEX upload_unused ON upload (created_at) WHERE used_at IS NULL;

CREATE FUNCTION upload_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL THEN
    RAISE EXCEPTION 'a used upload stays as it is' USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER upload_guard BEFORE UPDATE OR DELETE ON upload FOR EACH ROW EXECUTE FUNCTION upload_guard();
CREATE TRIGGER upload_no_truncate BEFORE TRUNCATE ON upload EXECUTE FUNCTION deny_change();
`,
} as const
