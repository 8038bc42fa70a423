import type { Ticker } from '../../contract/products.ts'
import type { Flush, Market } from '../ports.ts'
import type { SubscriptionGroup, SubscriptionGroups } from './subscriptionGroups.ts'
import { encodeFrame } from './encodedFrame.ts'
import type { EncodedFrame } from './encodedFrame.ts'
import { encodeTickFrames } from './tickFrames.ts'

/** Publishes events to all clients: encoded once per subscription group, from parts that are encoded once per product. */
export type Broadcast = {
  /** The ticks of a flush. */
  publishTicks(flush: Flush): void
  /** The tickers that changed since the last call, then every product's watermark and head. */
  publishHeartbeat(at: number): void
}

export function createBroadcast(market: Market, groups: SubscriptionGroups): Broadcast {
  const lastSent = new Map<string, Ticker>()
  const writeAll = (group: SubscriptionGroup, event: EncodedFrame): void => {
    for (const client of group.clients) client.write(event)
  }
  /** JSON of a product's ticker if it changed since the last heartbeat; computed once per heartbeat for all groups. */
  const tickerTexts = (): ((id: string) => string | undefined) => {
    const texts = new Map<string, string | undefined>()
    return (id) => {
      if (texts.has(id)) return texts.get(id)
      const ticker = market.ticker(id)
      const before = lastSent.get(id)
      const text = before && isSameTicker(before, ticker) ? undefined : JSON.stringify(ticker)
      if (text !== undefined) lastSent.set(id, { ...ticker })
      texts.set(id, text)
      return text
    }
  }
  const feedTexts = (): ((id: string) => string) => {
    const texts = new Map<string, string>()
    return (id) => {
      const cached = texts.get(id)
      if (cached !== undefined) return cached
      const { seq, hash } = market.head(id)
      const verdict = market.witnessVerdict(id)
      const state = {
        watermark: market.watermark(id),
        status: market.feedStatus(id),
        seq,
        hash,
        ...(verdict !== 'agrees' && { witness: verdict }),
      }
      const text = `${JSON.stringify(id)}:${JSON.stringify(state)}`
      texts.set(id, text)
      return text
    }
  }
  return {
    publishTicks: (flush) => {
      for (const group of groups.all()) {
        for (const frame of encodeTickFrames(flush, group.modes)) {
          writeAll(group, encodeFrame('ticks', `[${frame.join(',')}]`))
        }
      }
    },
    publishHeartbeat: (at) => {
      const tickerText = tickerTexts()
      const feedText = feedTexts()
      for (const group of groups.all()) {
        const tickers = group.ids.map(tickerText).filter((text) => text !== undefined)
        if (tickers.length > 0)
          writeAll(group, encodeFrame('figures', `{"at":${at},"f":[${tickers.join(',')}]}`))
        writeAll(group, encodeFrame('feed', `{"at":${at},"p":{${group.ids.map(feedText).join(',')}}}`))
      }
    },
  }
}

function isSameTicker(a: Ticker, b: Ticker): boolean {
  if (a === b) return true
  return (Object.keys(b) as (keyof Ticker)[]).every((field) => a[field] === b[field])
}
