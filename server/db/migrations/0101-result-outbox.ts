/** Orders whose result is final and not yet told to their members: one row of each statement that settled some. */
export const resultOutbox = {
  id: 101,
  name: 'result outbox',
  sql: `
CREATE TABLE result_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_ids jsonb NOT NULL
);
`,
} as const
