/** The day a replayed recording comes from, as its source names it: `2019-02-04`; undefined where it names none. */
export function replayDay(source: string): string | undefined {
  return /\b(\d{4}-\d{2}-\d{2})\b/.exec(source)?.[1]
}

/** A source as a member reads it: `EURUSD dukascopy`, `Binance`; undefined for made-up prices, which have none. */
export function sourceName(source: string): string | undefined {
  const label = /^(?:recording|live): (.+)$/.exec(source)?.[1]
  if (label === undefined) return source === 'synthetic' ? undefined : source
  return label
    .replace(/(?: \([\d-]+\))?, looped$/, '')
    .replace(/_\d{4}-\d{2}-\d{2}(?:T\d{4})?$/, '')
    .replaceAll('_', ' ')
}
