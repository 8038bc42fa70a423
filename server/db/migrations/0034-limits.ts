/** Limits that members set for themselves: what holds now, and a looser value with the business instant it begins. */
export const limits = {
  id: 34,
  name: 'limits',
  sql: `
CREATE TABLE member_limit (
  member_id text NOT NULL REFERENCES member (id),
  field text NOT NULL CHECK (field IN ('maxStake', 'maxDailyLoss', 'maxDailyDeposit', 'excludedUntil')),
  value bigint CHECK (value >= 0),
  next_value bigint CHECK (next_value >= 0),
  next_at bigint,
  PRIMARY KEY (member_id, field),
  CONSTRAINT member_limit_next CHECK (next_at IS NOT NULL OR next_value IS NULL)
);
`,
} as const
