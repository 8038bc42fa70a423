/** Who of the staff works on which waiting item, and keyed hashes of sealed fields, by which a member is found. */
export const queues = {
  id: 141,
  name: 'queues and search',
  sql: `
CREATE TABLE queue_claim (
  queue text NOT NULL,
  item_id text NOT NULL,
  claimed_by text NOT NULL,
  until_at bigint NOT NULL,
  PRIMARY KEY (queue, item_id)
);

CREATE TABLE sealed_index (
  kind text NOT NULL CHECK (kind IN ('name', 'idNumber', 'payee')),
  hash text NOT NULL,
  member_id text NOT NULL REFERENCES member (id),
  -- The row that the field is sealed in.
  row_id text NOT NULL,
  PRIMARY KEY (kind, hash, row_id)
);
CREATE INDEX sealed_index_row ON sealed_index (row_id);
`,
} as const
