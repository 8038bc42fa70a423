import type { Ticker } from '../../contract/products.ts'
import type { SubscribeMode } from '../../contract/socket.ts'
import type { Market } from '../ports.ts'

/** JSON of a product's ticker: all of it, and the fields that changed since the last round; null if none did. */
export type TickerTexts = { whole: string; changes: string | null }

/**
 * Begins a round and returns a function that writes a product's ticker, once for all groups. A client that has the whole
 * ticker of one round and the changes of every later one has the newest ticker.
 */
export function createTickerTexts(market: Pick<Market, 'ticker'>): () => (id: string) => TickerTexts {
  const lastSent = new Map<string, Ticker>()
  return () => {
    const texts = new Map<string, TickerTexts>()
    return (id) => {
      const written = texts.get(id)
      if (written) return written
      const ticker = market.ticker(id)
      const changes = changedFields(lastSent.get(id), ticker)
      const text = {
        whole: JSON.stringify(ticker),
        changes: changes && JSON.stringify({ id, ...changes }),
      }
      lastSent.set(id, { ...ticker })
      texts.set(id, text)
      return text
    }
  }
}

function changedFields(before: Ticker | undefined, ticker: Ticker): Partial<Ticker> | null {
  if (!before) return ticker
  const fields = (Object.keys(ticker) as (keyof Ticker)[]).filter((field) => ticker[field] !== before[field])
  return fields.length === 0 ? null : Object.fromEntries(fields.map((field) => [field, ticker[field]]))
}

/** Writes the state of a product's feed, once for all groups; null in mode `latest` for a live product. */
export function createFeedTexts(market: Market): (id: string, mode: SubscribeMode) => string | null {
  const texts = { all: new Map<string, string | null>(), latest: new Map<string, string | null>() }
  return (id, mode) => {
    const written = texts[mode].get(id)
    if (written !== undefined) return written
    const verdict = market.witnessVerdict(id)
    const status = market.feedStatus(id)
    const witness = verdict === 'agrees' ? {} : { witness: verdict }
    const state = JSON.stringify(
      mode === 'all'
        ? { watermark: market.watermark(id), status, ...market.head(id), ...witness }
        : { status, ...witness },
    )
    const isOmitted = mode === 'latest' && status === 'live' && verdict === 'agrees'
    const text = isOmitted ? null : `${JSON.stringify(id)}:${state}`
    texts[mode].set(id, text)
    return text
  }
}
