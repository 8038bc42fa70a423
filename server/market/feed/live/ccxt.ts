import { CountedWarnings } from '../../../platform/countedWarnings.ts'
import type { LiveFeed, LiveParts, LiveProduct } from '../feed.ts'
import { Coverage } from './coverage.ts'
import { Lag } from './lag.ts'
import { ResumedLog } from './resumed.ts'
import { scaleTick } from './sourceTick.ts'

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
  product: LiveProduct,
  { clock, logLine }: LiveParts,
  load: () => Promise<Ccxt> = loadCcxt,
): LiveFeed {
  const { id, exchange: name, symbol, tradingHoursAt } = product
  const warnings = new CountedWarnings((what) => logLine('warn', what))
  const count = (what: string, detail: string): void => warnings.count(id, what, detail)
  const log = new ResumedLog(logLine, name)
  const resumed = (from: number, to: number, isGap: boolean): void => log.add(id, { from, to, isGap })
  const coverage = new Coverage(1, { isNumbered: false, limitMs, startAt: clock.now(), count, resumed })
  const lag = new Lag()
  let exchange: CcxtExchange | null = null
  let isClosed = false
  let order = 0
  let cancel: (() => void) | undefined

  const add = ({ timestamp, id: sourceId = String(timestamp), price, amount }: Trade): void => {
    const now = clock.now()
    const hasInstant = Number.isSafeInteger(timestamp) && lag.judge(timestamp, now) !== 'wrong'
    if (!hasInstant) count('tick with a wrong instant dropped', `${sourceId}: ${timestamp}`)
    const raw = { order: ++order, sourceId, sourceAt: timestamp, price: String(price), size: String(amount) }
    const tick = hasInstant ? scaleTick(raw, product, (_id, what, detail) => count(what, detail)) : null
    if (tick) coverage.tick(0, tick, now, true)
    else coverage.dropped(0, order, now, now)
    log.log(now, () => true)
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
