/**
 * Whether a member's own limits let a stake through, to be asked inside the statement that debits it: there the
 * balance's row is locked, so that orders sent at once cannot pass a limit together. A day's loss is taken at its
 * worst, with every open stake lost. Sums in minor units, instants of the business calendar.
 */
export const withinLimits = {
  id: 36,
  name: 'within limits',
  sql: `
CREATE FUNCTION within_limits(
  who text, largest_stake bigint, stakes_after bigint, pnl_today bigint, business_now bigint
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM (
      SELECT field, CASE WHEN next_at <= business_now THEN next_value ELSE value END AS value
      FROM member_limit WHERE member_id = who
    ) AS set_by_member
    WHERE value IS NOT NULL AND CASE field
      WHEN 'maxStake' THEN largest_stake > value
      WHEN 'maxDailyLoss' THEN stakes_after - pnl_today > value
      WHEN 'excludedUntil' THEN business_now < value
      ELSE false END)
$$;
`,
} as const
