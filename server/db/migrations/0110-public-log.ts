/**
 * The public log: its leaves, the hashes of full tiles, and the newest signed checkpoints. A leaf follows the one before
 * it and is never changed, so that nobody can sign two trees of one size.
 */
export const publicLog = {
  id: 110,
  name: 'public log',
  sql: `
CREATE TABLE log_leaf (
  ix bigint PRIMARY KEY CHECK (ix >= 0),
  at bigint NOT NULL,
  data bytea NOT NULL
);
ALTER TABLE log_leaf ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX log_leaf_at ON log_leaf USING brin (at) WITH (pages_per_range = 8);
-- The root of each full tile: the hash of number ix at the level above it.
CREATE TABLE log_node (
  level integer NOT NULL CHECK (level > 0),
  ix bigint NOT NULL CHECK (ix >= 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (level, ix)
);
-- The newest checkpoint that the log signed, and the newest one that witnesses cosigned.
CREATE TABLE log_checkpoint (
  kind text PRIMARY KEY CHECK (kind IN ('signed', 'witnessed')),
  origin text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  at bigint NOT NULL,
  note text NOT NULL
);

CREATE FUNCTION log_leaf_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
BEGIN
  SELECT ix, at INTO last FROM log_leaf ORDER BY ix DESC LIMIT 1;
  IF NEW.ix <> coalesce(last.ix + 1, 0) OR NEW.at <= coalesce(last.at, 0) THEN
    RAISE EXCEPTION 'a leaf of the log follows the newest one' USING ERRCODE = 'restrict_violation', TABLE = 'log_leaf';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER log_leaf_follows BEFORE INSERT ON log_leaf FOR EACH ROW EXECUTE FUNCTION log_leaf_follows();
CREATE TRIGGER log_leaf_stays BEFORE UPDATE OR DELETE ON log_leaf FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_node_stays BEFORE UPDATE OR DELETE ON log_node FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_leaf_no_truncate BEFORE TRUNCATE ON log_leaf EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_node_no_truncate BEFORE TRUNCATE ON log_node EXECUTE FUNCTION deny_change();

-- Under one name a checkpoint gives way only to a larger tree, or to the same one with other signatures.
CREATE FUNCTION log_checkpoint_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.kind = OLD.kind AND (NEW.origin <> OLD.origin OR NEW.size > OLD.size OR (
    NEW.size = OLD.size AND split_part(NEW.note, E'\\n\\n', 1) = split_part(OLD.note, E'\\n\\n', 1))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a checkpoint of the log only grows' USING ERRCODE = 'restrict_violation', TABLE = 'log_checkpoint';
END
$$;
CREATE TRIGGER log_checkpoint_grows BEFORE UPDATE OR DELETE ON log_checkpoint
  FOR EACH ROW EXECUTE FUNCTION log_checkpoint_grows();
CREATE TRIGGER log_checkpoint_no_truncate BEFORE TRUNCATE ON log_checkpoint EXECUTE FUNCTION deny_change();
`,
} as const
