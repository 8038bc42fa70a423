/**
 * Who leads. One row; each leader adds one to its term, and every statement of a leader names the term that it was
 * given: a statement of an earlier term fails, whatever its process believes.
 */
export const lease = {
  id: 70,
  name: 'lease',
  sql: `
CREATE TABLE lease (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  term bigint NOT NULL,
  -- {id, host, pid, since}: id is part of the application_name of all its sessions.
  holder jsonb NOT NULL,
  -- Where it can be reached: host:port.
  address text NOT NULL
);
INSERT INTO lease (term, holder, address) VALUES (0, '{}', '');
-- Counts on while the holder lives, also before its first flush.
CREATE SEQUENCE lease_beat;

CREATE FUNCTION lease_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.term = OLD.term + 1 THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the term of the lease grows by one and never goes' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER lease_grows BEFORE UPDATE OR DELETE ON lease FOR EACH ROW EXECUTE FUNCTION lease_grows();
CREATE TRIGGER lease_no_truncate BEFORE TRUNCATE ON lease EXECUTE FUNCTION deny_change();

-- Locks the lease for the transaction, so that no new term begins before it ends, and returns the term.
CREATE FUNCTION held_term(asked bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM lease WHERE term = asked FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'term % is over', asked USING ERRCODE = 'UT001', TABLE = 'lease';
  END IF;
  RETURN asked;
END
$$;

-- Rows of earlier builds have term 0. A build that names no term can write no flush.
ALTER TABLE tick_batch ADD COLUMN term bigint NOT NULL DEFAULT 0;
ALTER TABLE tick_batch ALTER COLUMN term DROP DEFAULT;

-- No order is accepted before the newest committed flush, whatever the clock of a process says.
CREATE FUNCTION accepted_after_flush(accepted_at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF accepted_at < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) THEN
    RAISE EXCEPTION 'a flush is newer than %', accepted_at USING ERRCODE = 'UT002', TABLE = 'orders';
  END IF;
  RETURN accepted_at;
END
$$;
`,
} as const
