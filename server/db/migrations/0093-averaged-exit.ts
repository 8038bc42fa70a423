/**
 * Rule R2: an order has further terms, and its exit is a mean instead of a tick. The table refuses a result that the
 * row's own sum does not give; the mean is stored too, rounded, because it is what was shown.
 */
export const averagedExit = {
  id: 93,
  name: 'averaged exit',
  sql: `
ALTER TABLE orders
  ADD COLUMN entry_delay_ms integer, ADD COLUMN exit_window_ms integer, ADD COLUMN exit_cut_bp integer,
  ADD COLUMN exit_min_ticks integer,
  ADD COLUMN exit_value numeric, ADD COLUMN exit_sum numeric, ADD COLUMN exit_ticks integer,
  ADD COLUMN exit_from bigint, ADD COLUMN exit_to bigint,
  ADD CONSTRAINT orders_rule CHECK (CASE WHEN rule = 'R2'
    THEN entry_delay_ms >= 0 AND exit_window_ms > 0 AND exit_cut_bp >= 0 AND exit_cut_bp < 5000 AND exit_min_ticks > 0
    ELSE num_nonnulls(entry_delay_ms, exit_window_ms, exit_cut_bp, exit_min_ticks) = 0 END IS TRUE),
  ADD CONSTRAINT orders_mean CHECK (CASE WHEN num_nonnulls(exit_value, exit_sum, exit_ticks, exit_from, exit_to) = 0
    THEN true
    ELSE rule = 'R2' AND entry_seq IS NOT NULL AND exit_seq IS NULL AND exit_ticks > 0 AND exit_from <= exit_to
      AND exit_sum = trunc(exit_sum) AND exit_value = div(exit_sum * 20 + exit_ticks, exit_ticks * 2::numeric)
    END IS TRUE),
  DROP CONSTRAINT orders_entry,
  ADD CONSTRAINT orders_entry CHECK (
    (entry_seq IS NULL) = (entry_at IS NULL) AND (entry_seq IS NULL) = (entry_price IS NULL)
    AND (entry_at IS NULL OR (entry_at > accepted_at + coalesce(entry_delay_ms, 0)
      AND entry_at <= least(accepted_at + coalesce(entry_delay_ms, 0) + entry_timeout_ms, close_at)))),
  DROP CONSTRAINT orders_result,
  ADD CONSTRAINT orders_result CHECK (CASE status
    WHEN 'accepted' THEN entry_seq IS NULL AND exit_seq IS NULL AND exit_sum IS NULL AND settled_at IS NULL
      AND payout IS NULL AND reason IS NULL
    WHEN 'open' THEN entry_seq IS NOT NULL AND exit_seq IS NULL AND exit_sum IS NULL AND settled_at IS NULL
      AND payout IS NULL AND reason IS NULL
    WHEN 'refunded' THEN settled_at IS NOT NULL AND payout IS NOT DISTINCT FROM amount AND reason IS NOT NULL
    ELSE settled_at IS NOT NULL AND reason IS NULL
      AND CASE rule WHEN 'R2' THEN exit_to > entry_seq ELSE exit_seq > entry_seq END
      AND CASE status
      WHEN 'tied' THEN
        CASE rule WHEN 'R2' THEN exit_sum = entry_price::numeric * exit_ticks ELSE exit_price = entry_price END
        AND payout IS NOT DISTINCT FROM amount
      WHEN 'won' THEN
        CASE rule WHEN 'R2' THEN sign(exit_sum - entry_price::numeric * exit_ticks)
          ELSE sign((exit_price - entry_price)::numeric) END = CASE direction WHEN 'up' THEN 1 ELSE -1 END
        AND payout IS NOT DISTINCT FROM amount + amount * rate_bp / 10000
      ELSE
        CASE rule WHEN 'R2' THEN sign(exit_sum - entry_price::numeric * exit_ticks)
          ELSE sign((exit_price - entry_price)::numeric) END = CASE direction WHEN 'up' THEN -1 ELSE 1 END
        AND payout IS NOT DISTINCT FROM 0::bigint
      END
    END IS TRUE);

CREATE OR REPLACE FUNCTION orders_source_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.source, NEW.entry_delay_ms, NEW.exit_window_ms, NEW.exit_cut_bp, NEW.exit_min_ticks)
     IS DISTINCT FROM (OLD.source, OLD.entry_delay_ms, OLD.exit_window_ms, OLD.exit_cut_bp, OLD.exit_min_ticks) THEN
    RAISE EXCEPTION 'the terms of an order never change' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
`,
} as const
