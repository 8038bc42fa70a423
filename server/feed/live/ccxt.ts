import { parseRounded, parseTruncated } from '../../../contract/price.ts'
import { CountedWarnings } from '../../countedWarnings.ts'
import type { LiveFeed, LiveParts, LiveProduct } from '../feed.ts'
import { Coverage } from './coverage.ts'
import { logResumed } from './resumed.ts'

type Trade = { id?: string; timestamp: number; price: string | number; amount: string | number }
type CcxtExchange = {
  number: unknown
  watchTrades(symbol: string): Promise<Trade[]>
  close(): Promise<void>
}
type Ccxt = { pro: Record<string, (new (options: object) => CcxtExchange) | undefined> }

const limitMs = 7000
const retryMs = 5000

/**
 * Any exchange of the package ccxt, for practice only: without checks of numbers, missing trades are not noticed. The
 * package is no dependency; it is loaded when a product table names it.
 * @param load imports the package
 */
export function ccxtFeed(
  { id, exchange: name, symbol, priceDecimals, sizeDecimals, tradingHoursAt }: LiveProduct,
  { clock, logLine }: LiveParts,
  load: () => Promise<Ccxt> = loadCcxt,
): LiveFeed {
  const warnings = new CountedWarnings((what) => logLine('warn', what))
  const count = (what: string, detail: string): void => warnings.count(id, what, detail)
  const resumed = (ms: number, isGap: boolean): void => logResumed(logLine, name, [{ id, ms, isGap }])
  const coverage = new Coverage(1, { isNumbered: false, limitMs, startAt: clock.now(), count, resumed })
  let exchange: CcxtExchange | null = null
  let isClosed = false
  let order = 0
  let cancel: (() => void) | undefined

  const add = ({ timestamp, id: sourceId = String(timestamp), price: priceText, amount }: Trade): void => {
    const price = parseRounded(String(priceText), priceDecimals) ?? 0
    const size = parseTruncated(String(amount), sizeDecimals) ?? -1
    const isPrice = price > 0 && size >= 0
    if (!isPrice) count('invalid tick dropped', `${sourceId}: ${priceText} × ${amount}`)
    coverage.tick(
      0,
      { order: ++order, sourceId, sourceAt: timestamp, isPrice, price, size },
      clock.now(),
      true,
    )
  }
  const listen = async (): Promise<void> => {
    try {
      const ccxt = await load()
      const Opened = ccxt.pro[name.slice('ccxt:'.length)]
      if (!Opened) throw new Error('ccxt has no such exchange')
      // Digits instead of floats; only what is new, not the whole cache.
      exchange ??= Object.assign(new Opened({ newUpdates: true }), { number: String })
      for (;;) for (const trade of await exchange.watchTrades(symbol)) add(trade)
    } catch (error) {
      coverage.leave(0)
      if (isClosed) return
      count('connection lost', error instanceof Error ? error.message : String(error))
      cancel = clock.at(clock.now() + retryMs, listen)
    }
  }
  return {
    kind: 'live',
    read: (now) => coverage.read(now),
    committed: (until) => coverage.committed(until),
    tradingHoursAt,
    openingPrice: null,
    get isListening() {
      return cancel !== undefined
    },
    start: async () => {
      cancel = clock.at(clock.now(), listen)
    },
    close: async () => {
      isClosed = true
      cancel?.()
      await exchange?.close()
    },
  }
}

/** @throws an error that says how to install the package */
export async function loadCcxt(): Promise<Ccxt> {
  const packageName = 'ccxt'
  try {
    return ((await import(packageName)) as { default: Ccxt }).default
  } catch {
    throw new Error('the package ccxt is not installed: npm install --no-save ccxt@4')
  }
}
