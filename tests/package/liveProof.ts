import { genesis, linkHash, type Head } from '../../contract/chain.ts'
import type { LogProof } from '../../contract/orders.ts'
import { toBase64 } from '../../contract/tlog/base64.ts'
import { formatLeaf } from '../../contract/tlog/leaf.ts'
import { nodeHash } from '../../contract/tlog/merkle.ts'
import type { CompleteProof } from '../../src/proof/completeProof.ts'
import { cosigned, hashOf, origin, other, signer } from '../support/sampleLog.ts'
import { acceptedAt, closeAt, sampleProof, source } from '../support/sampleProof.ts'

export type LiveTick = [
  seq: number,
  at: number,
  price: string,
  size: string,
  sourceId: string,
  sourceAt: number,
]

const fingerprint = 'live:binance:BTCUSDT'

/** Ticks of a live source: three before the order, its entry, and none up to its close. */
export const quietTicks: LiveTick[] = [
  [1, acceptedAt - 2100, '10.00', '0.5', 't1', acceptedAt - 2130],
  [2, acceptedAt - 1400, '10.01', '1', 't2', acceptedAt - 1400],
  [3, acceptedAt - 700, '10.02', '0', 't|3', acceptedAt - 715],
  [4, acceptedAt + 900, '10.03', '2.25', 't4', acceptedAt + 880],
  [5, closeAt + 600, '10.04', '1', 't5', closeAt + 570],
]

/** The heads of a chain from its beginning on: that of tick `i` has the index `i + 1`. */
function headsOf(productId: string, ticks: readonly LiveTick[]): Head[] {
  const heads = [genesis(productId)]
  for (const tick of ticks) heads.push({ seq: tick[0], hash: linkHash(heads.at(-1)!.hash, productId, tick) })
  return heads
}

/** The proof of an order on a live source, by one of the rules, in a public log of two leaves that a witness cosigned. */
export function liveProof(rule: 'R1' | 'R2', ticks: readonly LiveTick[] = quietTicks): CompleteProof {
  const shared = {
    priceDecimals: 2,
    rateBp: 8500,
    entryTimeoutMs: 10_000,
    maxTickGapMs: 15_000,
    source: fingerprint,
  }
  const averaged = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }
  const terms = rule === 'R1' ? { rule, ...shared } : { rule, ...shared, ...averaged }
  const plain = sampleProof({ terms }, [], [{ ...source, fingerprint, text: 'Binance BTCUSDT' }])
  const heads = headsOf('A', ticks)
  const entry = ticks.find(([, at]) => at > acceptedAt + (rule === 'R1' ? 0 : 500))
  const fill = entry && { seq: entry[0], at: entry[1], price: entry[2] }
  const order = {
    ...plain.order,
    status: 'refunded',
    reason: 'ONE_TICK',
    entry: fill ?? null,
    // By R2 the ticks after the entry decide the exit.
    exit: rule === 'R1' ? (fill ?? null) : null,
    payout: '10.00',
    pnl: '0.00',
  } as CompleteProof['order']
  const after = heads.at(-1)!
  return { ...plain, order, ticks: [...ticks], before: heads[0]!, after, log: logWith(after) }
}

function logWith(head: Head): LogProof {
  const leaf = formatLeaf({ origin, at: closeAt + 900, heads: [{ productId: 'A', ...head }], gaps: [] })
  const checkpoint = signer.sign({ origin, size: 2, root: nodeHash(other, hashOf(leaf)) })
  return cosigned({ leaf, index: 1, path: [toBase64(other)], checkpoint })
}
