import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { formatMoney } from '../../../contract/money.ts'
import { minor } from '../../../contract/units.ts'
import type { Proof } from '../../../contract/orders.ts'
import { collectProof } from '../../../src/proof/collect.ts'
import { proofFile } from '../../../src/proof/proofFile.ts'
import { verifyProof } from '../../../packages/uptick/src/proof.ts'
import { blackBoxClient, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import type { Trader } from '../kill/trader.ts'
import type { Cluster } from './cluster.ts'
import { nodesOf, type Compared, type EndedGap } from './nodeViews.ts'

/** A settled order as the database has it, with the gaps of its product while it was open. */
type StoredOrder = {
  id: string
  status: string
  reason: string | null
  payout: number
  gaps: EndedGap[]
}
type LogKeys = { logKey: string | null; logWitnesses: string[] }
export type ComparedProofs = Compared & { proofs: number; refunds: number }

const pollMs = 50
/** An order has its ticks and its leaf by then, or never. */
const provedMaxMs = 120_000

/**
 * The proof of each order that no earlier call has compared is the same at every node: it holds, and has the result and the
 * gaps of the database.
 * @param known the ids of the orders that were compared before
 */
export async function compareProofs(
  cluster: Cluster,
  traders: readonly Trader[],
  known: Set<string>,
  compared: ComparedProofs,
): Promise<void> {
  const nodes = nodesOf(cluster)
  for (const trader of traders) {
    const { session } = trader.client()
    const clients = nodes.map(({ url }) => ({ url, client: blackBoxClient(url, session) }))
    const me = (await trader.client().get<{ id: string }>('/api/me')).body
    const keys = (await trader.client().get<LogKeys>('/api/config')).body
    for (const order of await readOrders(cluster, me.id)) {
      if (known.has(order.id)) continue
      known.add(order.id)
      if (order.reason === 'FEED_DOWN') compared.refunds += 1
      const proofs = await Promise.all(
        clients.map(({ url, client }) => checkedProof(client, url, { order, keys }, compared)),
      )
      compared.proofs += proofs.length
      const [first, ...others] = proofs.map(withoutNews)
      for (const [i, other] of others.entries())
        if (!isDeepStrictEqual(first, other))
          compared.differences.push(
            `proofs of ${order.id} differ: ${clients[0]?.url} has ${JSON.stringify(first)}, ${clients[i + 1]?.url} has ${JSON.stringify(other)}`,
          )
    }
  }
}

/** Without what grows with the log: its newest instant and checkpoint. */
const withoutNews = ({ watermarkAt: _at, log, ...rest }: Proof): object => ({
  ...rest,
  log: log ? { leaf: log.leaf, index: log.index } : null,
})

async function readOrders({ scratch }: Cluster, memberId: string): Promise<StoredOrder[]> {
  const { rows } = await scratch.database.pool.query<StoredOrder>(
    `SELECT o.id, o.status, o.reason, o.payout::float8 AS payout, coalesce(
       (SELECT json_agg(json_build_object('from', g.from_at, 'to', g.to_at) ORDER BY g.from_at)
        FROM feed_gap g JOIN feed_product p USING (ix)
        WHERE p.id = o.product_id AND g.from_at < o.close_at AND g.to_at > o.accepted_at), '[]') AS gaps
     FROM orders o WHERE o.member_id = $1 AND o.settled_at IS NOT NULL ORDER BY o.accepted_at`,
    [memberId],
  )
  return rows
}

/** A node's proof once it is final and in the public log; each one that is final must be right already. */
async function checkedProof(
  client: BlackBoxClient,
  url: string,
  { order, keys }: { order: StoredOrder; keys: LogKeys },
  { differences }: Compared,
): Promise<Proof> {
  const giveUpAt = performance.now() + provedMaxMs
  for (let wasFinal = false; ;) {
    const answer = await client.get<Proof>(`/api/orders/${order.id}/proof`)
    if (answer.status !== 200) throw new Error(`proof of ${order.id} at ${url}: ${answer.text}`)
    const proof = answer.body
    const isLate = performance.now() > giveUpAt
    const isDone = proof.final && proof.log !== null
    if (isDone || isLate || (proof.final && !wasFinal))
      differences.push(...(await faultsOf(client, proof, order, keys)).map((fault) => `${url}: ${fault}`))
    if (isLate && !isDone) differences.push(`${url}: no final proof of ${order.id} in the public log`)
    if (isDone || isLate) return proof
    wasFinal ||= proof.final
    await wait(pollMs)
  }
}

/** What of a proof is not what the database has, or does not hold. */
async function faultsOf(
  client: BlackBoxClient,
  proof: Proof,
  stored: StoredOrder,
  keys: LogKeys,
): Promise<string[]> {
  const { id, status, reason, payout } = proof.order
  const faults: string[] = []
  const expected = [stored.status, stored.reason, formatMoney(minor(stored.payout))]
  if (!isDeepStrictEqual([status, reason, payout], expected))
    faults.push(`order ${id} is ${status} ${reason} ${payout} instead of ${expected.join(' ')}`)
  if (!isDeepStrictEqual(proof.gaps, stored.gaps))
    faults.push(
      `the proof of ${id} has the gaps ${JSON.stringify(proof.gaps)} instead of ${JSON.stringify(stored.gaps)}`,
    )
  const whole = await collectProof(proof, async (productId, afterSeq, limit) => {
    const path = `/api/products/${encodeURIComponent(productId)}/ticks?afterSeq=${afterSeq}&limit=${limit}`
    const { status: code, body, text } = await client.get<never>(path)
    if (code !== 200) throw new Error(`${path}: ${text}`)
    return { ok: true, value: body, at: proof.watermarkAt }
  })
  if (!whole.ok) return [...faults, `the proof of ${id} has not all its ticks`]
  const file = proofFile({ proof: whole.value, heads: [], agreed: null, savedAt: proof.watermarkAt })
  const verdict = await verifyProof(JSON.parse(JSON.stringify(file)), [], keys)
  if (verdict.kind !== 'holds') faults.push(`the proof of ${id}: ${JSON.stringify(verdict)}`)
  else if (proof.log && verdict.logged === null) faults.push(`the proof of ${id} is not in the public log`)
  return faults
}
