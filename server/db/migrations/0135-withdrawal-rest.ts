/** Until when a member's withdrawals rest, and why. */
export const withdrawalRest = {
  id: 135,
  name: 'withdrawal rest',
  sql: `
ALTER TABLE member
  ADD COLUMN withdrawals_rest_until bigint,
  ADD COLUMN withdrawals_rest_cause text
    CHECK (withdrawals_rest_cause IN ('password_recovered', 'second_factor', 'account_bound', 'login_denied')),
  ADD CONSTRAINT member_withdrawals_rest
    CHECK ((withdrawals_rest_until IS NULL) = (withdrawals_rest_cause IS NULL));
`,
} as const
