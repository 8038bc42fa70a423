/**
 * The rate of a day of the fund is the one that the operator has published: a session of the calls' role could write another
 * one for a day that had none yet. Holds for every role, from the first term on.
 */
export const fundRates = {
  id: 175,
  name: 'fund rates',
  sql: `
-- As per10kOf in server/fund/fundConfig.ts: the newest rate published for the day or before; else that of the practice cycle;
-- else none. Null while a build leads that does not write them, beside nodes of this one.
CREATE FUNCTION fund_rate_of(of_day text) RETURNS integer LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(
    (SELECT r.value::integer FROM jsonb_each_text(p.rates->'from') r WHERE r.key COLLATE "C" <= of_day
      ORDER BY r.key COLLATE "C" DESC LIMIT 1),
    (p.rates->'cycle'->>mod(of_day::date - DATE '1970-01-01', nullif(jsonb_array_length(p.rates->'cycle'), 0)))::integer,
    0)
  FROM (SELECT operator_setting_of('fund_rates') AS rates) p WHERE p.rates IS NOT NULL
$$;

-- A rate is written once its day has begun somewhere; days of practice mode may be ahead.
CREATE FUNCTION fund_rate_is_published() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT venue_has_led() THEN RETURN NEW; END IF;
  IF NEW.on_day !~ '^\\d{4}-\\d\\d-\\d\\d$' OR NEW.per10k <> fund_rate_of(NEW.on_day)
     OR (NOT is_practice() AND NEW.on_day::date > (clock_timestamp() AT TIME ZONE 'UTC')::date) THEN
    RAISE EXCEPTION 'the rate of a day is the published one'
      USING ERRCODE = 'restrict_violation', TABLE = 'fund_rate';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER fund_rate_is_published BEFORE INSERT ON fund_rate
  FOR EACH ROW EXECUTE FUNCTION fund_rate_is_published();
`,
} as const
