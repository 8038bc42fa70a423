import { isDeepStrictEqual } from 'node:util'
import { orderRoutes, type Order } from '../../../../contract/orders.ts'
import { productRoutes } from '../../../../contract/products.ts'
import type { Client } from '../../../../src/api/client.ts'
import type { Result } from '../../../../src/api/result.ts'
import type { Failure } from '../../../../streams/index.ts'
import { collectProof } from '../../../../src/proof/collect.ts'
import { checkedFields } from '../../../../src/proof/proofFile.ts'
import { UsageError, exitCodes, type CommandContext } from './command.ts'
import { openSession, readPassword } from './memberSession.ts'
import {
  linesOfVerdict,
  verdictOf,
  type Comparison,
  type LogToCompare,
  type Verdict,
} from './proofVerdict.ts'
import { statedKeys } from './venueCalls.ts'
import { showProgress } from './untilEnd.ts'

/** Whose orders are verified: the newest `limit` that are settled. */
export type OrdersToVerify = {
  venue: string
  account: string
  limit: number
  log: LogToCompare | null
  json: boolean
}

const pageMax = 100

/** `verify` of a member's orders: each proof as the venue gives it now. */
export async function verifyOrders(
  { venue, account, limit, log, json }: OrdersToVerify,
  context: CommandContext,
): Promise<number> {
  const { print, note } = context
  const password = await readPassword(context)
  const stated = await statedKeys(venue)
  const { signal } = context
  const session = await openSession(venue, { account, password }, signal)
  const counts = { holds: 0, refuted: 0, unusable: 0 }
  const stopProgress = showProgress(() => `${counts.holds} orders hold, ${counts.refuted} are refuted`)
  try {
    for await (const order of closedOrders(session.call, limit)) {
      signal.throwIfAborted()
      const verdict = await verdictOfOrder(session.call, order, { log, stated })
      counts[verdict.kind] += 1
      if (json) print(JSON.stringify({ orderNo: order.no, ...verdict }))
      else if (verdict.kind === 'refuted') for (const line of linesOfVerdict(verdict)) print(line)
      if (verdict.kind === 'unusable') note(`order ${order.no} cannot be checked: ${verdict.why}`)
    }
  } finally {
    stopProgress()
    await session.close()
  }
  const { holds, refuted, unusable } = counts
  const rest = unusable === 0 ? '' : `, ${unusable} cannot be checked`
  if (!json)
    print(`${holds + refuted + unusable} orders of ${account}: ${holds} hold, ${refuted} refuted${rest}`)
  if (refuted > 0) return exitCodes.refuted
  return unusable > 0 ? exitCodes.unusable : exitCodes.done
}

/** Settled orders, newest first. @throws UsageError if the venue does not list them */
async function* closedOrders(call: Client, limit: number): AsyncGenerator<Order> {
  let cursor: string | null = null
  for (let left = limit; left > 0;) {
    const page: Result<{ items: Order[]; nextCursor: string | null }> = await call(orderRoutes.orders, {
      query: {
        tab: 'closed' as const,
        limit: String(Math.min(left, pageMax)),
        ...(cursor !== null && { cursor }),
      },
    })
    if (!page.ok) throw new UsageError(`the venue does not list the orders: ${whyOf(page)}`)
    yield* page.value.items.slice(0, left)
    left -= page.value.items.length
    cursor = page.value.nextCursor
    if (cursor === null || page.value.items.length === 0) return
  }
}

async function verdictOfOrder(
  call: Client,
  order: Order,
  compared: Pick<Comparison, 'log' | 'stated'>,
): Promise<Verdict> {
  const first = await call(orderRoutes.orderProof, { params: { id: order.id } })
  const whole =
    first.ok &&
    (await collectProof(first.value, (id, afterSeq, limit) =>
      call(productRoutes.ticks, {
        params: { id },
        query: { afterSeq: String(afterSeq), limit: String(limit) },
      }),
    ))
  if (!first.ok) return { kind: 'unusable', why: `no proof: ${whyOf(first)}` }
  if (!whole || !whole.ok) return { kind: 'unusable', why: 'the venue does not give all its ticks' }
  const differs = fieldsThatDiffer(order, whole.value.order)
  if (differs.length > 0) {
    const found = { why: 'the order in the proof is not the one in the list', differs }
    return { kind: 'refuted', orderNo: order.no, step: 'agreed', found }
  }
  const file = checkedFields({ proof: whole.value, heads: [], agreed: null, savedAt: first.at })
  const verdict = await verdictOf(file, { heads: [], ...compared, against: [] })
  // The venue returns it now, so only the venue can have signed it.
  if (verdict.kind !== 'holds' || verdict.signed.by !== 'other key') return verdict
  const found = { why: "the receipt is signed by a key that is not the venue's", keys: verdict.signed.keys }
  return { kind: 'refuted', orderNo: order.no, step: 'receipt', found }
}

const fieldsThatDiffer = (listed: Order, proved: Order): string[] =>
  (Object.keys(listed) as (keyof Order)[]).filter((name) => !isDeepStrictEqual(listed[name], proved[name]))

const whyOf = ({ failure }: Extract<Result<unknown>, { ok: false }>): string =>
  failure.kind === 'rejected' ? whyRejected(failure) : failure.kind

const whyRejected = ({ code, params }: Extract<Failure, { kind: 'rejected' }>): string =>
  code === 'LOG_DAMAGED' ? `the venue’s tick log is damaged at ${String(params?.['place'])}` : code
