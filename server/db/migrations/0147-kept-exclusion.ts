/** Closing an account and opening another with the same phone does not end an exclusion that a member set for himself. */
export const keptExclusion = {
  id: 147,
  name: 'kept exclusion',
  sql: `
CREATE TABLE kept_exclusion (
  phone_hash text PRIMARY KEY,
  value bigint,
  next_value bigint,
  next_at bigint
);
`,
} as const
