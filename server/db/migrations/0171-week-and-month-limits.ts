/**
 * Limits per week and month, beside those per day: the result of the business week and month since this migration, kept
 * with the balance as that of the day is, and the check inside the debit. The check without them stays for a process of
 * an earlier build, until it ends.
 */
export const weekAndMonthLimits = {
  id: 171,
  name: 'week and month limits',
  sql: `
ALTER TABLE balance
  ADD COLUMN week_pnl bigint NOT NULL DEFAULT 0,
  ADD COLUMN week_on text NOT NULL DEFAULT '',
  ADD COLUMN month_pnl bigint NOT NULL DEFAULT 0,
  ADD COLUMN month_on text NOT NULL DEFAULT '';

ALTER TABLE member_limit DROP CONSTRAINT member_limit_field_check;
ALTER TABLE member_limit ADD CONSTRAINT member_limit_field_check CHECK (field IN ('maxStake',
  'maxDailyLoss', 'maxWeeklyLoss', 'maxMonthlyLoss', 'maxDailyDeposit', 'maxWeeklyDeposit', 'maxMonthlyDeposit',
  'excludedUntil'));

CREATE FUNCTION within_limits(
  who text, largest_stake bigint, stakes_after bigint, pnl_today bigint, pnl_week bigint, pnl_month bigint,
  business_now bigint
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM (
      SELECT field, CASE WHEN next_at <= business_now THEN next_value ELSE value END AS value
      FROM member_limit WHERE member_id = who
    ) AS set_by_member
    WHERE value IS NOT NULL AND CASE field
      WHEN 'maxStake' THEN largest_stake > value
      WHEN 'maxDailyLoss' THEN stakes_after - pnl_today > value
      WHEN 'maxWeeklyLoss' THEN stakes_after - pnl_week > value
      WHEN 'maxMonthlyLoss' THEN stakes_after - pnl_month > value
      WHEN 'excludedUntil' THEN business_now < value
      ELSE false END)
$$;

CREATE OR REPLACE FUNCTION balance_is_posted() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.available <> 0 OR NEW.held <> 0 OR NEW.stakes <> 0 OR NEW.fund <> 0 OR NEW.pnl <> 0
       OR NEW.today_pnl <> 0 OR NEW.week_pnl <> 0 OR NEW.month_pnl <> 0 OR NEW.version <> 0 THEN
      RAISE EXCEPTION 'a balance begins at zero' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF NEW.member_id <> OLD.member_id OR NEW.version <= OLD.version OR NOT EXISTS (
    SELECT FROM posting p WHERE p.member_id = NEW.member_id AND p.id = NEW.version
      AND p.available_after = NEW.available AND p.held_after = NEW.held AND p.stakes_after = NEW.stakes
      AND p.fund_after = NEW.fund AND p.pnl_after = NEW.pnl
  ) THEN
    RAISE EXCEPTION 'a balance changes by postings only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
`,
} as const
