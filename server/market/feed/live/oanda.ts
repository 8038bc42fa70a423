import { formatUnits, parseTruncated } from '../../../../contract/price.ts'
import type { Protocol, Sink } from './protocol.ts'

type Quote = {
  type?: string
  instrument: string
  time: string
  tradeable?: boolean
  bids: { price: string }[]
  asks: { price: string }[]
}

/** More than any instrument has. */
const decimals = 8

/**
 * OANDA v20: one stream of prices with a heartbeat every five seconds, and each second a call for the same prices: a
 * newer one that the stream does not deliver shows that it stopped. A second stream would have other prices, and a
 * missing price cannot be noticed, because prices have no numbers.
 */
export function oanda(override: string | null, token: string, account: string): Protocol {
  const environment = account.startsWith('101-') ? 'fxpractice' : 'fxtrade'
  const pricing = (host: string, path: string, symbols: readonly string[]): string =>
    `${override ?? `https://${host}-${environment}.oanda.com`}/v3/accounts/${account}/${path}?instruments=${symbols.join('%2C')}`
  return {
    name: 'oanda',
    lines: 1,
    isNumbered: false,
    limitMs: 7000,
    deadMs: 12_000,
    symbolsPerLine: 100,
    kind: 'stream',
    ping: 'none',
    headers: { authorization: `Bearer ${token}` },
    address: (symbols) => pricing('stream', 'pricing/stream', symbols),
    subscribe: () => [],
    read: readMessage,
    snapshot: {
      isRepeated: true,
      symbolsPerCall: 100,
      address: (symbols) => pricing('api', 'pricing', symbols),
      read: (text, _symbols, sink) => {
        for (const quote of (JSON.parse(text) as { prices: Quote[] }).prices)
          sink.newest(quote.instrument, Date.parse(quote.time), middleOf(quote))
      },
    },
  }
}

function readMessage(text: string, sink: Sink): void {
  const quote = JSON.parse(text) as Quote
  if (quote.type === 'HEARTBEAT') {
    sink.joined()
    sink.alive()
  } else if (quote.type === 'PRICE') {
    sink.tick({
      symbol: quote.instrument,
      order: Date.parse(quote.time),
      sourceId: quote.time,
      sourceAt: Date.parse(quote.time),
      price: middleOf(quote),
      size: '0',
      // Not tradable: the market is closed.
      isOutsideMarket: quote.tradeable === false,
    })
    sink.alive()
  } else sink.unreadable(text)
}

/** The middle of the best bid and ask, exact; empty if one of them is missing. */
function middleOf({ bids, asks }: Quote): string {
  const bid = parseTruncated(bids[0]?.price ?? '', decimals)
  const ask = parseTruncated(asks[0]?.price ?? '', decimals)
  if (bid === undefined || ask === undefined) return ''
  return formatUnits((bid + ask) * 5, decimals + 1)
}
