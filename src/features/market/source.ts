/** The day of a replayed recording from its source's name: `2019-02-04`; undefined if there is none. */
export function replayDay(source: string): string | undefined {
  return /\b(\d{4}-\d{2}-\d{2})\b/.exec(source)?.[1]
}

/** A source's display name: `EURUSD dukascopy`, `Binance`; undefined for synthetic prices, which have no source. */
export function sourceName(source: string): string | undefined {
  const label = /^(?:recording|live): (.+)$/.exec(source)?.[1]
  if (label === undefined) return source === 'synthetic' ? undefined : source
  return label
    .replace(/(?: \([\d-]+\))?, looped$/, '')
    .replace(/_\d{4}-\d{2}-\d{2}(?:T\d{4})?$/, '')
    .replaceAll('_', ' ')
}
