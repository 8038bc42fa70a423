/** What `log cut` moved out of a damaged log: every row as it was, when, by whom, and where the log goes on after it. */
export const logCut = {
  id: 71,
  name: 'log-cut',
  sql: `
CREATE TABLE log_cut (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  place text NOT NULL,
  why text NOT NULL
);
CREATE TABLE cut_batch (
  cut_id bigint NOT NULL REFERENCES log_cut (id),
  id bigint NOT NULL,
  at bigint NOT NULL,
  data bytea NOT NULL,
  term bigint NOT NULL,
  PRIMARY KEY (cut_id, id)
);
CREATE TABLE cut_chunk (
  cut_id bigint NOT NULL REFERENCES log_cut (id),
  ix integer NOT NULL,
  seq0 bigint NOT NULL,
  seq1 bigint NOT NULL,
  at0 bigint NOT NULL,
  at1 bigint NOT NULL,
  hash_before bytea NOT NULL,
  hash_after bytea NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (cut_id, ix, seq0)
);
-- The head that was public before the cut: the chain of the product goes on after it, so that no number is used twice.
CREATE TABLE log_resume (
  cut_id bigint NOT NULL REFERENCES log_cut (id),
  ix integer NOT NULL REFERENCES feed_product (ix),
  seq bigint NOT NULL,
  at bigint NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (cut_id, ix)
);
CREATE TRIGGER log_cut_stays BEFORE UPDATE OR DELETE ON log_cut FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER cut_batch_stays BEFORE UPDATE OR DELETE ON cut_batch FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER cut_chunk_stays BEFORE UPDATE OR DELETE ON cut_chunk FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_resume_stays BEFORE UPDATE OR DELETE ON log_resume FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_cut_no_truncate BEFORE TRUNCATE ON log_cut EXECUTE FUNCTION deny_change();
CREATE TRIGGER cut_batch_no_truncate BEFORE TRUNCATE ON cut_batch EXECUTE FUNCTION deny_change();
CREATE TRIGGER cut_chunk_no_truncate BEFORE TRUNCATE ON cut_chunk EXECUTE FUNCTION deny_change();
CREATE TRIGGER log_resume_no_truncate BEFORE TRUNCATE ON log_resume EXECUTE FUNCTION deny_change();
`,
} as const
