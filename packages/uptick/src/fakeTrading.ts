import { settlementDeadlineMs } from '../../../contract/constants.ts'
import { fillOf, wireExitOf } from '../../../contract/fills.ts'
import type { Assets } from '../../../contract/ledger.ts'
import { addMoney, formatMoney } from '../../../contract/money.ts'
import { checkOrder, type OrderFacts, type Rejection } from '../../../contract/orderCheck.ts'
import { isFinal, type Order, type PlaceRequest } from '../../../contract/orders.ts'
import type { ProductDetail } from '../../../contract/products.ts'
import { settle, type SettleOrder, type SettleTick, type Terms } from '../../../contract/settle.ts'
import { entryOf } from '../../../contract/settle/rules.ts'
import { epochMs, minor, priceUnits, type Minor } from '../../../contract/units.ts'
import type { ReplayMarket } from '../../../streams/replay/replayMarket.ts'

/** A refusal, thrown: the code and details of the venue's answer. */
export class Rejected extends Error {
  readonly rejection: Rejection

  constructor(rejection: Rejection) {
    super(rejection.code)
    this.rejection = rejection
  }
}

/** A member's money and orders, newest first. */
export type Account = { available: Minor; pnl: Minor; version: number; orders: PlacedOrder[] }
/** An order as it is answered, with what its settlement needs. */
export type PlacedOrder = { order: Order; account: Account; terms: Terms; own: SettleOrder; afterSeq: number }

export type FakeTradingParts = {
  market: ReplayMarket
  newId: () => string
  publish: (account: Account, event: 'order' | 'assets', data: Order | Assets) => void
}

/** Orders on a replayed market: what a venue checks and decides, by its own code, without its database. */
export class FakeTrading {
  readonly #parts: FakeTradingParts
  readonly #pending = new Set<PlacedOrder>()
  readonly #facts: OrderFacts<ProductDetail>
  #count = 0

  constructor(parts: FakeTradingParts) {
    this.#parts = parts
    const { market } = parts
    this.#facts = {
      settings: (id) => (market.ids.includes(id) ? market.find(id).detail() : undefined),
      tradingHours: (id) => market.find(id).tradingHours(),
      lastTickAt: (id) => market.find(id).ticker().lastAt,
      feedStatus: (id) => market.find(id).feedAt(this.#now).status,
      witnessVerdict: () => 'agrees',
    }
  }

  get #now(): number {
    return this.#parts.market.clock.now()
  }

  /** The venue's own check, debit and terms. @throws Rejected */
  place(account: Account, key: string, request: PlaceRequest): Order {
    this.advance()
    const { market, newId } = this.#parts
    const checked = checkOrder(this.#facts, { status: 'up', opensAt: null }, request, this.#now)
    if ('code' in checked) throw new Rejected(checked)
    const { settings, amount, acceptedAt, closeAt } = checked
    if (amount > account.available) throw new Rejected({ code: 'INSUFFICIENT_BALANCE' })
    const terms = termsOf(settings, request.rateBp)
    const { productId, direction, seconds, rateBp } = request
    const fresh = { entry: null, exit: null, settledAt: null, payout: null, pnl: null, reason: null }
    const order: Order = {
      ...fresh,
      id: newId(),
      no: `UT-${String(++this.#count).padStart(6, '0')}`,
      key,
      productId,
      direction,
      amount: formatMoney(amount),
      seconds,
      rateBp,
      terms,
      status: 'accepted',
      acceptedAt: epochMs(acceptedAt),
      closeAt: epochMs(closeAt),
      version: 1,
    }
    const own = { direction, amount, acceptedAt, closeAt }
    const placed = { order, account, terms, own, afterSeq: market.find(productId).seq }
    account.orders.unshift(placed)
    this.#pending.add(placed)
    this.#move(account, -Number(amount))
    return { ...order, head: headOf(market, productId) }
  }

  /** Finds entries and settles what is due, up to the market's clock. */
  advance(): void {
    for (const placed of this.#pending) this.#advanceOne(placed)
  }

  /** An order as the venue answers it at the market's clock. */
  view({ order }: PlacedOrder): Order {
    return !isFinal(order.status) && this.#now >= order.closeAt ? { ...order, status: 'settling' } : order
  }

  #advanceOne(placed: PlacedOrder): void {
    const { order, terms, own } = placed
    const product = this.#parts.market.find(order.productId)
    const { watermark } = product.feedAt(this.#now)
    const isDue = watermark >= own.closeAt || this.#now >= own.closeAt + settlementDeadlineMs
    if (order.entry !== null && !isDue) return
    const ticks = settleTicks(product.values(placed.afterSeq, product.seq), placed.afterSeq)
    const entry = order.entry === null ? entryOf(terms, own, ticks) : null
    if (entry !== null) this.#change(placed, { status: 'open', entry: fillOf(entry, terms.priceDecimals) })
    if (!isDue) return
    // As the venue does: what the watermark does not cover is a gap.
    const gaps = [...product.gaps, { from: watermark, to: null }]
    const result = settle(terms, own, ticks, gaps, [])
    this.#pending.delete(placed)
    placed.account.pnl = minor(placed.account.pnl + result.pnl)
    this.#change(placed, {
      status: result.status,
      reason: result.reason,
      entry: result.entry && fillOf(result.entry, terms.priceDecimals),
      exit: result.exit && wireExitOf(result.exit, terms.priceDecimals),
      settledAt: epochMs(this.#now),
      payout: formatMoney(result.payout),
      pnl: formatMoney(result.pnl),
    })
    this.#move(placed.account, result.payout)
  }

  #change(placed: PlacedOrder, part: Partial<Order>): void {
    placed.order = { ...placed.order, ...part, version: placed.order.version + 1 }
    const { market, publish } = this.#parts
    publish(placed.account, 'order', { ...this.view(placed), head: headOf(market, placed.order.productId) })
  }

  #move(account: Account, amount: number): void {
    account.available = minor(account.available + amount)
    account.version += 1
    this.#parts.publish(account, 'assets', assetsOf(account))
  }
}

export function assetsOf({ available, pnl, version, orders }: Account): Assets {
  const open = orders.filter(({ order }) => !isFinal(order.status))
  const stakes = addMoney(...open.map(({ own }) => own.amount))
  return {
    total: formatMoney(addMoney(available, stakes)),
    available: formatMoney(available),
    held: '0.00',
    openStakes: formatMoney(stakes),
    fund: '0.00',
    accountPnl: formatMoney(pnl),
    todayPnl: formatMoney(pnl),
    version,
  }
}

function headOf(market: ReplayMarket, id: string): NonNullable<Order['head']> {
  const product = market.find(id)
  const { seq, hash } = product.head
  return { seq, hash, at: product.feedAt(market.clock.now()).watermark }
}

function termsOf(product: ProductDetail, rateBp: number): Terms {
  const { priceDecimals, entryTimeoutMs, maxTickGapMs, source } = product
  const common = { priceDecimals, rateBp, entryTimeoutMs, maxTickGapMs, source }
  if (product.rule === 'R1') return { rule: 'R1', ...common }
  const { entryDelayMs = 0, exitWindowMs = 0, exitCutBp = 0, exitMinTicks = 1 } = product
  return { rule: 'R2', ...common, entryDelayMs, exitWindowMs, exitCutBp, exitMinTicks }
}

function settleTicks(values: readonly number[], afterSeq: number): SettleTick[] {
  const ticks: SettleTick[] = []
  for (let i = 0; i < values.length; i += 3)
    ticks.push({ seq: afterSeq + 1 + i / 3, at: values[i] ?? 0, price: priceUnits(values[i + 1] ?? 0) })
  return ticks
}
