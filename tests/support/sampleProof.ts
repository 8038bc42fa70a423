import { priceUnits, epochMs } from '../../contract/units.ts'
import { genesis, verifyChain, type Head, type WireTick } from '../../contract/chain.ts'
import { fillOf, wireExitOf } from '../../contract/fills.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { Order, Proof } from '../../contract/orders.ts'
import { formatUnits } from '../../contract/price.ts'
import { settle } from '../../contract/settle.ts'
import type { CompleteProof } from '../../src/proof/completeProof.ts'
import { sampleOrder } from './sampleOrder.ts'

export const acceptedAt = 1_000_000
export const closeAt = 1_030_000
/** A log of 60 ticks, 700 ms apart, from shortly before the order. */
export const log: WireTick[] = Array.from({ length: 60 }, (_, i) => [
  i + 1,
  acceptedAt - 2500 + i * 700,
  formatUnits(1000 + ((i * 7) % 11), 2),
  '1',
])
export const headAt = (seq: number): Head => {
  const chain = verifyChain('A', genesis('A'), log.slice(0, seq))
  if (!chain.ok) throw new Error('the log does not chain')
  return chain.head
}

export const source = { sinceAt: 0, fingerprint: 'test', epoch: 0, text: 'test feed' }
/** The proof of an order settled by the rule on the log, from three ticks before it to three after. */
export function sampleProof(
  part: Partial<Order> = {},
  gaps: Proof['gaps'] = [],
  sources: Proof['sources'] = [source],
): CompleteProof {
  const accepted = sampleOrder({ acceptedAt: epochMs(acceptedAt), closeAt: epochMs(closeAt), ...part })
  const from = log.findIndex(([, at]) => at > acceptedAt) - 3
  const to = log.findIndex(([, at]) => at > closeAt) + 3
  const ticks = log
    .slice(from, to)
    .map(([seq, at, price, size]): [number, number, string, string] => [seq, at, price, size])
  const settled = settle(
    accepted.terms,
    { direction: accepted.direction, amount: moneyOf(accepted.amount), acceptedAt, closeAt },
    ticks.map(([seq, at, price]) => ({ seq, at, price: priceUnits(Math.round(Number(price) * 100)) })),
    gaps,
    sources,
  )
  const order: Order = {
    ...accepted,
    status: settled.status,
    reason: settled.reason,
    entry: settled.entry && fillOf(settled.entry, 2),
    exit: settled.exit && wireExitOf(settled.exit, 2),
    payout: formatMoney(settled.payout),
    pnl: formatMoney(settled.pnl),
    settledAt: epochMs(closeAt + 400),
  }
  return {
    order,
    rule: order.terms.rule,
    ticks,
    before: headAt(ticks[0]![0] - 1),
    after: headAt(ticks.at(-1)![0]),
    gaps,
    source: accepted.terms.source,
    sources: [...sources],
    watermarkAt: epochMs(closeAt + 5000),
    final: true,
    seams: [],
    log: null,
    receipt: null,
  }
}
