/** Photos of papers that a rejected submission no longer needs may go: the row of the upload stays and says when. */
export const photosRemoved = {
  id: 62,
  name: 'photos removed',
  sql: `
ALTER TABLE upload ADD COLUMN removed_at bigint;
CREATE INDEX verification_rejected ON verification (decided_at) WHERE status = 'rejected';

CREATE OR REPLACE FUNCTION upload_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.used_by_kind = 'verification'
     AND OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL
     AND (to_jsonb(NEW) - 'removed_at') = (to_jsonb(OLD) - 'removed_at')
     AND EXISTS (SELECT FROM verification WHERE id = OLD.used_by_id AND status = 'rejected') THEN
    RETURN NEW;
  END IF;
  IF OLD.used_at IS NOT NULL THEN
    RAISE EXCEPTION 'a used upload stays as it is' USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF NEW.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'an unused upload is deleted, not removed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
`,
} as const
