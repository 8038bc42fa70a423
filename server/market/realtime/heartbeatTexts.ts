import type { Ticker } from '../../../contract/products.ts'
import type { SubscribeMode } from '../../../contract/socket.ts'
import type { Market } from '../ports.ts'

/** A product's ticker of one round as JSON, each form written once for all groups and only if it is sent. */
export class TickerTexts {
  readonly #ticker: Ticker
  readonly #changed: (keyof Ticker)[]
  #whole: string | undefined
  #changes: string | undefined

  constructor(ticker: Ticker, before: Ticker | undefined) {
    this.#ticker = ticker
    this.#changed = (Object.keys(ticker) as (keyof Ticker)[]).filter((key) => ticker[key] !== before?.[key])
  }

  /** Whether a field differs from the round before. */
  get isChanged(): boolean {
    return this.#changed.length > 0
  }

  get whole(): string {
    return (this.#whole ??= JSON.stringify(this.#ticker))
  }

  /** The id and the fields that changed. */
  get changes(): string {
    const fields = ['id', ...this.#changed] as (keyof Ticker)[]
    return (this.#changes ??= JSON.stringify(
      Object.fromEntries(fields.map((key) => [key, this.#ticker[key]])),
    ))
  }
}

/**
 * Begins a round and returns a function that reads a product's ticker once. A client that has the whole ticker of one
 * round and the changes of every later one has the newest ticker.
 */
export function createTickerTexts(market: Pick<Market, 'ticker'>): () => (id: string) => TickerTexts {
  const lastSent = new Map<string, Ticker>()
  return () => {
    const round = new Map<string, TickerTexts>()
    return (id) => {
      const read = round.get(id)
      if (read) return read
      const ticker = { ...market.ticker(id) }
      const texts = new TickerTexts(ticker, lastSent.get(id))
      lastSent.set(id, ticker)
      round.set(id, texts)
      return texts
    }
  }
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
