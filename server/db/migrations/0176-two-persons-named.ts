/**
 * As in migration 174, with a name for the rejection: a call recognizes it if the amount for two persons was lowered between
 * its own check and its commit.
 */
export const twoPersonsNamed = {
  id: 176,
  name: 'two persons named',
  sql: `
CREATE OR REPLACE FUNCTION withdrawal_is_approved_by_two() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF venue_has_led() AND (TG_OP = 'INSERT'
     OR (NEW.amount > two_persons_above() AND four_eyes_are_needed()
       AND confirmed_by('withdrawals.approve', 'withdrawal', NEW.id,
         jsonb_build_object('amount', (NEW.amount::numeric / 100)::numeric(20, 2)::text))
         IS DISTINCT FROM coalesce(NEW.approved_by, NEW.decided_by))) THEN
    RAISE EXCEPTION 'two persons approve a withdrawal of this amount'
      USING ERRCODE = 'restrict_violation', TABLE = 'withdrawal', CONSTRAINT = 'two_persons';
  END IF;
  RETURN NULL;
END
$$;
`,
} as const
