import { parsePrice } from '../../../contract/price.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { PriceAlertRow } from '../schema.ts'
import type { Flush, Market, TickBlock } from '../../market/index.ts'
import type { Report } from '../../platform/ports.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'
import { AlertLevels } from './alertLevels.ts'

/** An alert as the judge needs it. */
export type WaitingAlert = Omit<PriceAlertRow, 'no'>
export type JudgeParts = {
  market: Pick<Market, 'settings' | 'head' | 'ticksAfter'>
  /** Receives alerts whose price a committed tick has reached, each once for as long as the judge lives. */
  onReached: (alerts: readonly WaitingAlert[]) => void
  report: Report
}

/** How far alerts are judged: what a later start continues from. */
export type JudgeState = {
  /** Per product with joined alerts, the newest tick that they were judged by. */
  progress: ReadonlyMap<string, number>
  /** Those that are judged as far as their product, and are not marked so. */
  unmarked: readonly WaitingAlert[]
}

/** Ticks read from the log at a time. */
const pageMax = 2000

/** Alerts of one product that are judged together, in the order of its ticks. */
type AlertCursor = {
  productId: string
  /** The newest tick that they were judged by. */
  seq: number
  levels: AlertLevels<WaitingAlert>
}
/** All alerts of a product: those of its cursor, and those that are judged less far, or further. */
type ProductAlerts = {
  cursor: AlertCursor
  /** Whether the cursor is behind the log and reads it; what is flushed meanwhile is in the log. */
  isReading: boolean
  /** Created after ticks that the cursor has yet to see. */
  ahead: Map<string, WaitingAlert>
  /** Created before ticks that the cursor has seen: judged by these first. */
  behind: Map<string, WaitingAlert>
  isBehindReading: boolean
}

/**
 * Judges the alerts of all products by committed ticks: each by every tick after the newest one at its creation, in
 * their order. What is flushed comes from memory, and what was flushed before from the log. It has no database.
 */
export class AlertJudge {
  readonly #parts: JudgeParts
  readonly #products = new Map<string, ProductAlerts>()
  readonly #reading = new TaskTracker()

  constructor(parts: JudgeParts) {
    this.#parts = parts
  }

  /** Continues where an earlier judge has stopped, with the joined ones of all alerts that wait. */
  resume(alerts: readonly WaitingAlert[], progress: ReadonlyMap<string, number>): void {
    const joined = alerts.filter((alert) => alert.joined && this.#isListed(alert))
    for (const productId of new Set(joined.map((alert) => alert.productId))) {
      const product = this.#productOf(productId, progress.get(productId) ?? 0)
      product.cursor.levels.add(joined.filter((alert) => alert.productId === productId))
      this.#catchUp(product)
    }
  }

  /** Judges further alerts, also by the ticks since they were created. Ignores those that it has. */
  follow(alerts: readonly WaitingAlert[]): void {
    for (const alert of alerts) {
      if (!this.#isListed(alert)) continue
      const { id, afterSeq } = alert
      const product = this.#productOf(alert.productId, afterSeq)
      const { cursor, ahead, behind } = product
      if (cursor.levels.has(id) || ahead.has(id) || behind.has(id)) continue
      if (afterSeq === cursor.seq) cursor.levels.add([alert])
      else (afterSeq > cursor.seq ? ahead : behind).set(id, alert)
      this.#catchUp(product)
    }
  }

  forget(id: string, productId: string): void {
    const product = this.#products.get(productId)
    product?.cursor.levels.remove(id)
    product?.ahead.delete(id)
    product?.behind.delete(id)
  }

  onFlush({ blocks }: Flush): void {
    for (const block of blocks) this.#judgeBlock(block)
  }

  /** Reads the log again where that failed. */
  retry(): void {
    for (const product of this.#products.values()) this.#catchUp(product)
  }

  state(): JudgeState {
    const cursors = [...this.#products.values()]
      .map(({ cursor }) => cursor)
      .filter(({ levels }) => levels.size > 0)
    return {
      progress: new Map(cursors.map(({ productId, seq }) => [productId, seq])),
      unmarked: cursors.flatMap(({ levels }) => [...levels.values()].filter(({ joined }) => !joined)),
    }
  }

  all(): WaitingAlert[] {
    return [...this.#products.values()].flatMap(({ cursor, ahead, behind }) => [
      ...cursor.levels.values(),
      ...ahead.values(),
      ...behind.values(),
    ])
  }

  /** Resolves when nothing is being read. */
  idle(): Promise<void> {
    return this.#reading.idle()
  }

  /** A product may have left the table since. */
  #isListed({ productId }: WaitingAlert): boolean {
    return this.#parts.market.settings(productId) !== undefined
  }

  #productOf(productId: string, seq: number): ProductAlerts {
    const known = this.#products.get(productId)
    if (known) return known
    const cursor: AlertCursor = { productId, seq, levels: new AlertLevels() }
    const added = { cursor, isReading: false, ahead: new Map(), behind: new Map(), isBehindReading: false }
    this.#products.set(productId, added)
    return added
  }

  #judge(cursor: AlertCursor, seq: number, price: number): void {
    if (seq <= cursor.seq) return
    cursor.seq = seq
    const reached = cursor.levels.takeReached(price)
    if (reached.length === 0) return
    for (const { id } of reached) this.#products.get(cursor.productId)?.behind.delete(id)
    this.#parts.onReached(reached)
  }

  #judgeBlock({ id, seq0, values }: TickBlock): void {
    const product = this.#products.get(id)
    if (!product || product.isReading) return
    const { cursor } = product
    if (seq0 > cursor.seq + 1) return this.#catchUp(product)
    if (cursor.levels.size === 0) cursor.seq = Math.max(cursor.seq, seq0 + values.length / 3 - 1)
    else for (let i = 0; i < values.length; i += 3) this.#judge(cursor, seq0 + i / 3, values[i + 1] ?? 0)
    this.#release(product)
  }

  /** Lets those wait for the next tick that the cursor was behind of; what it has read too far for is behind it now. */
  #release(product: ProductAlerts): void {
    const { cursor, ahead, behind } = product
    if (ahead.size === 0) return
    const due = [...ahead.values()].filter(({ afterSeq }) => afterSeq <= cursor.seq)
    for (const { id } of due) ahead.delete(id)
    cursor.levels.add(due.filter(({ afterSeq }) => afterSeq === cursor.seq))
    for (const alert of due) if (alert.afterSeq < cursor.seq) behind.set(alert.id, alert)
    if (behind.size > 0) this.#catchUp(product)
  }

  /** Begins to read what a product lacks, unless it is being read. */
  #catchUp(product: ProductAlerts): void {
    const { cursor } = product
    const end = (): number => this.#parts.market.head(cursor.productId).seq
    const failed = (error: unknown): void =>
      this.#parts.report('judging price alerts by the log failed', error)
    if (!product.isReading && cursor.seq < end()) {
      product.isReading = true
      const read = async (): Promise<void> => {
        await this.#readLog(cursor, end).catch(failed)
        product.isReading = false
        this.#release(product)
      }
      void this.#reading.add(read())
    }
    if (!product.isBehindReading && product.behind.size > 0) {
      product.isBehindReading = true
      const read = async (): Promise<void> => {
        await this.#readBehind(product).catch(failed)
        product.isBehindReading = false
      }
      void this.#reading.add(read())
    }
  }

  /** Judges a cursor's alerts by the log, as far as `until` says at each moment. */
  async #readLog(cursor: AlertCursor, until: () => number): Promise<void> {
    while (cursor.seq < until()) {
      const before = cursor.seq
      for (const [seq, price] of await readTicks(this.#parts, cursor)) {
        if (seq > until()) break
        this.#judge(cursor, seq, price)
      }
      if (cursor.seq === before) throw new Error(`the log has no tick of ${cursor.productId} after ${before}`)
    }
  }

  /** Judges those that are behind in a cursor of their own, until it has come as far as the product's. */
  async #readBehind(product: ProductAlerts): Promise<void> {
    while (product.behind.size > 0) {
      const alerts = [...product.behind.values()].toSorted((a, b) => a.afterSeq - b.afterSeq)
      const seq = alerts[0]?.afterSeq ?? 0
      const cursor: AlertCursor = { productId: product.cursor.productId, seq, levels: new AlertLevels() }
      for (const alert of alerts) {
        await this.#readLog(cursor, () => alert.afterSeq)
        cursor.levels.add([alert])
      }
      // Compared again, because a flush may come between the last tick read and here.
      while (cursor.seq < product.cursor.seq) await this.#readLog(cursor, () => product.cursor.seq)
      // Without those that were removed meanwhile.
      const waiting = [...cursor.levels.values()].filter(({ id }) => product.behind.has(id))
      for (const { id } of alerts) product.behind.delete(id)
      product.cursor.levels.add(waiting)
    }
  }
}

/** The next ticks of a cursor's product: number and price in units. Ticks that the log no longer has count as judged. */
async function readTicks({ market, report }: JudgeParts, cursor: AlertCursor): Promise<[number, number][]> {
  const { productId } = cursor
  const decimals = market.settings(productId)?.priceDecimals ?? 0
  try {
    const { ticks } = await market.ticksAfter(productId, cursor.seq, pageMax)
    return ticks.map(([seq, , price]) => [seq, parsePrice(price, decimals) ?? 0])
  } catch (error) {
    const firstSeq = error instanceof ApiError && error.code === 'PRUNED' ? error.params?.['firstSeq'] : null
    if (typeof firstSeq !== 'number') throw error
    report(`price alerts of ${productId} are not judged by ticks that were pruned`, error)
    cursor.seq = firstSeq - 1
    return []
  }
}
