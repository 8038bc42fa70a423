import { assertNever } from '../../../../contract/units.ts'
import type { LiveFeed, LiveParts, LiveProduct, LiveSource } from '../feed.ts'
import { binance } from './binance.ts'
import { binanceUsdm } from './binanceUsdm.ts'
import { ccxtFeed } from './ccxt.ts'
import { coinbase } from './coinbase.ts'
import { Exchange } from './exchange.ts'
import type { Subscription } from './subscription.ts'
import { kraken } from './kraken.ts'
import { oanda } from './oanda.ts'
import type { Protocol } from './protocol.ts'
import { networkTransport, type Transport } from './transport.ts'

export const exchangeNames = ['binance', 'binance-usdm', 'coinbase', 'kraken', 'oanda'] as const
export type ExchangeName = (typeof exchangeNames)[number]

/** How each exchange writes a symbol. */
export const symbolPatterns: Record<ExchangeName, RegExp> = {
  binance: /^[A-Z0-9]{1,12}\/?[A-Z0-9]{1,12}$/,
  'binance-usdm': /^[A-Z0-9]{1,12}\/?[A-Z0-9]{1,12}(_\d{6})?$/,
  coinbase: /^[A-Z0-9]{1,12}-[A-Z0-9]{1,12}$/,
  kraken: /^[A-Z0-9.]{1,12}\/[A-Z0-9.]{1,12}$/,
  oanda: /^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$/,
}

export type ExchangeSettings = {
  /** Other addresses, such as `ws://127.0.0.1:9000`. */
  urls: Partial<Record<ExchangeName, string>>
  oandaToken: string | null
  oandaAccount: string | null
}

const labels: Record<ExchangeName, string> = {
  binance: 'every trade',
  'binance-usdm': 'every trade',
  coinbase: 'every trade',
  kraken: 'every trade',
  oanda: 'the middle of bid and ask, at most four a second',
}

/** The exchanges that the products of one table use. All products of an exchange share its connections. */
export class Exchanges {
  readonly #settings: ExchangeSettings
  readonly #transport: Transport
  readonly #open = new Map<ExchangeName, Exchange>()

  constructor(settings: ExchangeSettings, transport: Transport = networkTransport) {
    this.#settings = settings
    this.#transport = transport
  }

  /** @throws if the exchange needs a setting that is not there */
  source(product: LiveProduct): LiveSource {
    const { exchange, symbol } = product
    const fingerprint = `live:${exchange}:${symbol}`
    if (exchange.startsWith('ccxt:')) {
      const label = `live: ${exchange} ${symbol}, missing trades cannot be noticed`
      return { kind: 'live', fingerprint, label, open: (parts) => ccxtFeed(product, parts) }
    }
    const name = exchange as ExchangeName
    const protocol = this.#protocolOf(name)
    // Prices from another address than the exchange's own are another source: members see where they come from.
    const url = this.#settings.urls[name]
    const address = url === undefined ? null : new URL(url).host
    const label = `live: ${name} ${symbol}${address === null ? '' : ` from ${address}`}, ${labels[name]}`
    return {
      kind: 'live',
      fingerprint: address === null ? fingerprint : `${fingerprint}@${address}`,
      label,
      open: (parts) => openFeed(this.#exchangeOf(name, protocol, parts), product),
    }
  }

  #exchangeOf(name: ExchangeName, protocol: Protocol, parts: LiveParts): Exchange {
    const existing = this.#open.get(name)
    if (existing) return existing
    const exchange = new Exchange(protocol, this.#transport, parts)
    this.#open.set(name, exchange)
    return exchange
  }

  #protocolOf(name: ExchangeName): Protocol {
    const { urls, oandaToken, oandaAccount } = this.#settings
    const url = urls[name] ?? null
    switch (name) {
      case 'binance':
        return binance(url)
      case 'binance-usdm':
        return binanceUsdm(url)
      case 'coinbase':
        return coinbase(url)
      case 'kraken':
        return kraken(url)
      case 'oanda':
        if (oandaToken === null || oandaAccount === null)
          throw new Error('a feed of oanda needs OANDA_TOKEN and OANDA_ACCOUNT')
        return oanda(url, oandaToken, oandaAccount)
      default:
        return assertNever(name)
    }
  }
}

function openFeed(exchange: Exchange, product: LiveProduct): LiveFeed {
  const subscription: Subscription = exchange.add(product)
  let isStarted = false
  return {
    kind: 'live',
    read: (now) => subscription.coverage.read(now),
    committed: (until) => subscription.coverage.committed(until),
    tradingHoursAt: product.tradingHoursAt,
    get openingPrice() {
      return subscription.openingPrice
    },
    get isListening() {
      return isStarted
    },
    start: async () => {
      if (isStarted) return
      isStarted = true
      exchange.start()
    },
    close: async () => {
      if (!isStarted) return
      isStarted = false
      exchange.close()
    },
  }
}
