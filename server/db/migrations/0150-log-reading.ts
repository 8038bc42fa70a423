/**
 * The database reads the log by itself: the blocks of a flush (the bytes of `server/market/log/batch.ts`), and the flush
 * that has a product's ticks of an instant. What results, gaps and chunks are checked with.
 */
export const logReading = {
  id: 150,
  name: 'log reading',
  sql: `
CREATE INDEX tick_batch_at ON tick_batch (at);

-- Whether a venue has led this database: only then its results and money have a log and causes behind them.
CREATE FUNCTION venue_has_led() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT term > 0 FROM lease $$;

-- One row per product: its ticks from number "seq0" on, the hash after the last, and how far it is covered. A live
-- product has a row in every flush, also without ticks.
CREATE FUNCTION flush_blocks(flush_at bigint, data bytea)
RETURNS TABLE (ix integer, watermark bigint, live boolean, seq0 bigint, ats bigint[], prices bigint[], hash bytea)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  p integer := 0;
  bytes CONSTANT integer := octet_length(data);
  b integer;
  v bigint;
  s integer;
  ticks bigint;
  price bigint;
  ids bigint;
  left_over bigint;
  run bigint;
  kind bigint;
BEGIN
  live := false;
  WHILE p < bytes LOOP
    v := 0; s := 0;
    LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
    IF v = 0 AND NOT live THEN
      live := true;
      CONTINUE;
    END IF;
    ix := v; watermark := flush_at; ats := '{}'; prices := '{}'; hash := NULL;
    IF live THEN
      b := get_byte(data, p); p := p + 1; v := b & 63;
      IF b >= 128 THEN
        s := 6; kind := b & 64;
        LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
        b := kind;
      END IF;
      watermark := flush_at - CASE WHEN b & 64 = 64 THEN -v ELSE v END;
    END IF;
    v := 0; s := 0;
    LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
    seq0 := v; ticks := 0; s := 0;
    LOOP b := get_byte(data, p); p := p + 1; ticks := ticks + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
    IF seq0 = 0 AND ticks = 0 THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    hash := substr(data, p + 1, 32); p := p + 32;
    price := 0;
    FOR i IN 1..ticks LOOP
      v := 0; s := 0;
      LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
      ats := ats || (watermark - v);
      b := get_byte(data, p); p := p + 1; v := b & 63; kind := b & 64;
      IF b >= 128 THEN
        s := 6;
        LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
      END IF;
      price := CASE WHEN kind = 64 THEN price - v ELSE price + v END;
      prices := prices || price;
      WHILE get_byte(data, p) >= 128 LOOP p := p + 1; END LOOP;
      p := p + 1;
    END LOOP;
    IF live THEN
      -- Where the ticks come from: runs of ids of one kind, the ids, then one delay for each id.
      ids := 0; left_over := ticks; kind := 0;
      DECLARE
        runs bigint[] := '{}';
        kinds bigint[] := '{}';
      BEGIN
        WHILE left_over > 0 LOOP
          run := 0; s := 0;
          LOOP b := get_byte(data, p); p := p + 1; run := run + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
          runs := runs || run; kinds := kinds || get_byte(data, p)::bigint; p := p + 1;
          left_over := left_over - run;
        END LOOP;
        FOR r IN 1..cardinality(runs) LOOP
          CONTINUE WHEN kinds[r] = 0;
          ids := ids + runs[r];
          FOR i IN 1..runs[r] LOOP
            v := 0; s := 0;
            LOOP b := get_byte(data, p); p := p + 1; v := v + ((b & 127)::bigint << s); EXIT WHEN b < 128; s := s + 7; END LOOP;
            IF kinds[r] = 2 THEN p := p + v::integer; END IF;
          END LOOP;
        END LOOP;
        FOR i IN 1..ids LOOP
          WHILE get_byte(data, p) >= 128 LOOP p := p + 1; END LOOP;
          p := p + 1;
        END LOOP;
      END;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

-- Until when a flush covers a product.
CREATE FUNCTION flush_watermark(flush_at bigint, data bytea, product integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT f.watermark FROM flush_blocks(flush_at, data) f WHERE f.ix = product AND f.live), flush_at)
$$;

-- The flush that has the ticks of an instant of a product: the first one that covers it. Null if none does yet, or any more.
CREATE FUNCTION flush_of(product integer, instant bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  flush record;
BEGIN
  IF NOT EXISTS (SELECT FROM feed_source WHERE ix = product AND fingerprint LIKE 'live:%') THEN
    RETURN (SELECT id FROM tick_batch WHERE at >= instant ORDER BY at, id LIMIT 1);
  END IF;
  FOR flush IN SELECT id, at, data FROM tick_batch WHERE at >= instant ORDER BY at, id LOOP
    IF flush_watermark(flush.at, flush.data, product) >= instant THEN RETURN flush.id; END IF;
  END LOOP;
  RETURN NULL;
END
$$;
`,
} as const
