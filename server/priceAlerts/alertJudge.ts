import { parsePrice } from '../../contract/price.ts'
import { ApiError } from '../apiError.ts'
import type { PriceAlertRow } from '../db/schema/priceAlert.ts'
import type { Flush, Market, Report, TickBlock } from '../ports.ts'
import { TaskTracker } from '../taskTracker.ts'
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
type Lane = {
  productId: string
  /** The newest tick that they were judged by. */
  seq: number
  levels: AlertLevels<WaitingAlert>
}
/** All alerts of a product: those in its lane, and those that are not judged as far as it, or further. */
type ProductAlerts = {
  lane: Lane
  /** Whether the lane is behind the log and reads it; what is flushed meanwhile is in the log. */
  isReading: boolean
  /** Created after ticks that the lane has yet to see. */
  ahead: Map<string, WaitingAlert>
  /** Created before ticks that the lane has seen: judged by these first. */
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
      product.lane.levels.add(joined.filter((alert) => alert.productId === productId))
      this.#catchUp(product)
    }
  }

  /** Judges further alerts, also by the ticks since they were created. Ignores those that it has. */
  follow(alerts: readonly WaitingAlert[]): void {
    for (const alert of alerts) {
      if (!this.#isListed(alert)) continue
      const { id, afterSeq } = alert
      const product = this.#productOf(alert.productId, afterSeq)
      const { lane, ahead, behind } = product
      if (lane.levels.has(id) || ahead.has(id) || behind.has(id)) continue
      if (afterSeq === lane.seq) lane.levels.add([alert])
      else (afterSeq > lane.seq ? ahead : behind).set(id, alert)
      this.#catchUp(product)
    }
  }

  forget(id: string, productId: string): void {
    const product = this.#products.get(productId)
    product?.lane.levels.remove(id)
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
    const lanes = [...this.#products.values()].map(({ lane }) => lane).filter(({ levels }) => levels.size > 0)
    return {
      progress: new Map(lanes.map(({ productId, seq }) => [productId, seq])),
      unmarked: lanes.flatMap(({ levels }) => [...levels.values()].filter(({ joined }) => !joined)),
    }
  }

  all(): WaitingAlert[] {
    return [...this.#products.values()].flatMap(({ lane, ahead, behind }) => [
      ...lane.levels.values(),
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
    const lane: Lane = { productId, seq, levels: new AlertLevels() }
    const added = { lane, isReading: false, ahead: new Map(), behind: new Map(), isBehindReading: false }
    this.#products.set(productId, added)
    return added
  }

  #judge(lane: Lane, seq: number, price: number): void {
    if (seq <= lane.seq) return
    lane.seq = seq
    const reached = lane.levels.takeReached(price)
    if (reached.length === 0) return
    for (const { id } of reached) this.#products.get(lane.productId)?.behind.delete(id)
    this.#parts.onReached(reached)
  }

  #judgeBlock({ id, seq0, values }: TickBlock): void {
    const product = this.#products.get(id)
    if (!product || product.isReading) return
    const { lane } = product
    if (seq0 > lane.seq + 1) return this.#catchUp(product)
    if (lane.levels.size === 0) lane.seq = Math.max(lane.seq, seq0 + values.length / 3 - 1)
    else for (let i = 0; i < values.length; i += 3) this.#judge(lane, seq0 + i / 3, values[i + 1] ?? 0)
    this.#release(product)
  }

  /** Lets those wait for the next tick that the lane was behind of; what it has read too far for is behind it now. */
  #release(product: ProductAlerts): void {
    const { lane, ahead, behind } = product
    if (ahead.size === 0) return
    const due = [...ahead.values()].filter(({ afterSeq }) => afterSeq <= lane.seq)
    for (const { id } of due) ahead.delete(id)
    lane.levels.add(due.filter(({ afterSeq }) => afterSeq === lane.seq))
    for (const alert of due) if (alert.afterSeq < lane.seq) behind.set(alert.id, alert)
    if (behind.size > 0) this.#catchUp(product)
  }

  /** Begins to read what a product lacks, unless it is being read. */
  #catchUp(product: ProductAlerts): void {
    const { lane } = product
    const end = (): number => this.#parts.market.head(lane.productId).seq
    const failed = (error: unknown): void =>
      this.#parts.report('judging price alerts by the log failed', error)
    if (!product.isReading && lane.seq < end()) {
      product.isReading = true
      const read = this.#readLog(lane, end).catch(failed)
      void this.#reading.add(
        read.then(() => {
          product.isReading = false
          this.#release(product)
        }),
      )
    }
    if (!product.isBehindReading && product.behind.size > 0) {
      product.isBehindReading = true
      const read = this.#readBehind(product).catch(failed)
      void this.#reading.add(
        read.then(() => {
          product.isBehindReading = false
        }),
      )
    }
  }

  /** Judges a lane by the log, as far as `until` says at each moment. */
  async #readLog(lane: Lane, until: () => number): Promise<void> {
    while (lane.seq < until()) {
      const before = lane.seq
      for (const [seq, price] of await readTicks(this.#parts, lane)) {
        if (seq > until()) break
        this.#judge(lane, seq, price)
      }
      if (lane.seq === before) throw new Error(`the log has no tick of ${lane.productId} after ${before}`)
    }
  }

  /** Judges those that are behind in a lane of their own, until it has come as far as the product's. */
  async #readBehind(product: ProductAlerts): Promise<void> {
    while (product.behind.size > 0) {
      const alerts = [...product.behind.values()].toSorted((a, b) => a.afterSeq - b.afterSeq)
      const seq = alerts[0]?.afterSeq ?? 0
      const lane: Lane = { productId: product.lane.productId, seq, levels: new AlertLevels() }
      for (const alert of alerts) {
        await this.#readLog(lane, () => alert.afterSeq)
        lane.levels.add([alert])
      }
      // Compared again, because a flush may come between the last tick read and here.
      while (lane.seq < product.lane.seq) await this.#readLog(lane, () => product.lane.seq)
      // Without those that were removed meanwhile.
      const waiting = [...lane.levels.values()].filter(({ id }) => product.behind.has(id))
      for (const { id } of alerts) product.behind.delete(id)
      product.lane.levels.add(waiting)
    }
  }
}

/** The next ticks of a lane's product: number and price in units. Ticks that the log no longer has count as judged. */
async function readTicks({ market, report }: JudgeParts, lane: Lane): Promise<[number, number][]> {
  const { productId } = lane
  const decimals = market.settings(productId)?.priceDecimals ?? 0
  try {
    const { ticks } = await market.ticksAfter(productId, lane.seq, pageMax)
    return ticks.map(([seq, , price]) => [seq, parsePrice(price, decimals) ?? 0])
  } catch (error) {
    const firstSeq = error instanceof ApiError && error.code === 'PRUNED' ? error.params?.['firstSeq'] : null
    if (typeof firstSeq !== 'number') throw error
    report(`price alerts of ${productId} are not judged by ticks that were pruned`, error)
    lane.seq = firstSeq - 1
    return []
  }
}
