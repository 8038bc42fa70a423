import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { verifyChain, type Head, type WireTick } from '../../../contract/chain.ts'
import type { Order } from '../../../contract/orders.ts'
import { toRestTick } from '../../../contract/products.ts'
import type { Failure } from '../../../streams/index.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import { extendToHeads, type TicksAfter } from '../../../src/proof/collect.ts'
import { closeAt, headAt, log, sampleProof } from '../../support/sampleProof.ts'

const noPause = () => Promise.resolve()
const seenHeads = (...seqs: number[]) => seqs.map((seq) => ({ ...headAt(seq), watermark: 0, seenAt: 0 }))
const agreedOf = ({ order }: CompleteProof) => {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt: end } = order
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt: end }
}

/** `ticksAfter` of a venue with this log, hashed from the product's genesis. */
const ticksAfterOf =
  (ticks: readonly WireTick[], pruned = 0, page = 5): TicksAfter =>
  async (productId, afterSeq, limit) => {
    if (afterSeq < pruned) return { ok: false, failure: prunedFailure }
    const verified = verifyChain(productId, headAt(0), ticks.slice(0, afterSeq))
    const rest = ticks.filter(([seq]) => seq > afterSeq)
    const sent = rest.slice(0, Math.min(limit, page)).map(toRestTick)
    const before = verified.ok ? verified.head : null
    return { ok: true, value: { ticks: sent, complete: sent.length === rest.length, before }, at: 0 }
  }
const prunedFailure: Failure = {
  kind: 'rejected',
  status: 410,
  code: 'PRUNED',
  params: {},
  fields: {},
  at: 0,
}

async function extendedProof(heads: readonly Head[], ticksAfter: TicksAfter): Promise<CompleteProof> {
  const answer = await extendToHeads(sampleProof(), heads, ticksAfter)
  if (!answer.ok) throw new Error('not extended')
  return answer.value
}

describe('agreed terms', () => {
  it('are compared with the order of the proof', async () => {
    const proof = sampleProof()
    const known = await checkProof(proof, { agreed: agreedOf(proof), heads: [] }, noPause)
    expect([known.agreed, known.ok]).toEqual([{ ok: true, held: true }, true])
    const unknown = await checkProof(proof, { agreed: null, heads: [] }, noPause)
    expect([unknown.agreed, unknown.ok]).toEqual([{ ok: true, held: false }, true])
  })

  it.each<[string, Partial<Order>]>([
    ['direction', { direction: 'down' }],
    ['amount', { amount: '9.99' }],
    ['terms', { terms: { ...sampleProof().order.terms, maxTickGapMs: 1 } }],
  ])('reveal another %s in a consistent proof', async (field, part) => {
    const other = sampleProof(part)
    const unchecked = await checkProof(other, { agreed: null, heads: [] }, noPause)
    const agreed = agreedOf(sampleProof())
    const report = await checkProof(
      { ...other, order: { ...other.order, ...part } },
      { agreed, heads: [] },
      noPause,
    )
    expect([unchecked.agreed.ok, report.agreed, report.ok]).toEqual([
      true,
      { ok: false, differs: [field] },
      false,
    ])
  })
})

describe('an order that contradicts itself', () => {
  it.each<[string, Partial<Order>]>([
    ['closeAt', { closeAt: epochMs(closeAt - 1) }],
    ['closeAt', { seconds: 31 }],
    ['rateBp', { rateBp: 8400 }],
  ])('is revealed by its %s without stored terms', async (field, part) => {
    const report = await checkProof(sampleProof(part), { agreed: null, heads: [] }, noPause)
    expect([report.agreed, report.ok]).toEqual([{ ok: false, differs: [field] }, false])
  })
})

describe('stored heads', () => {
  const ends = sampleProof()
  const first = ends.ticks[0]![0]
  const last = ends.ticks.at(-1)![0]

  it('inside the proof need no further call', async () => {
    const proof = await extendedProof([headAt(first + 2)], () => Promise.reject(new Error('requested')))
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(first + 2) }, noPause)
    expect(report.chain).toMatchObject({ ok: true, seen: 1 })
  })

  it('on both sides are connected to the proof by the ticks between, over several pages', async () => {
    // The sample's log has more ticks after the order than before it.
    const own = [0, last + 8]
    const proof = await extendedProof(own.map(headAt), ticksAfterOf(log))
    expect([proof.ticks[0]![0], proof.ticks.at(-1)![0]]).toEqual([1, last + 8])
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(...own) }, noPause)
    expect(report.chain).toMatchObject({ ok: true, seen: 2 })
    expect(report.ok).toBe(true)
  })

  it('after the order reveal a past that was rewritten later', async () => {
    const at = last - 10
    const rewritten = log.map((tick): WireTick =>
      tick[0] < at ? tick : [tick[0], tick[1], '99.99', tick[3]],
    )
    const rewrittenHead = (seq: number): Head => {
      const verified = verifyChain('A', headAt(0), rewritten.slice(0, seq))
      if (!verified.ok) throw new Error('does not chain')
      return verified.head
    }
    const forged = {
      ...sampleProof(),
      ticks: rewritten.slice(first - 1, last),
      after: rewrittenHead(last),
    } as CompleteProof
    const answer = await extendToHeads(forged, [headAt(last + 5)], ticksAfterOf(rewritten))
    if (!answer.ok) throw new Error('not extended')
    const report = await checkProof(answer.value, { agreed: null, heads: seenHeads(last + 5) }, noPause)
    expect(report.chain).toMatchObject({ ok: false, why: 'hash', seq: last + 5, statedBy: 'device' })
  })

  it('reveal a log that was truncated', async () => {
    const proof = await extendedProof([headAt(last + 8)], ticksAfterOf(log.slice(0, last + 2)))
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(last + 8) }, noPause)
    expect(report.chain).toEqual({ ok: false, why: 'truncated', seq: last + 8, end: last + 2 })
  })

  it('do not fail the check if the venue has pruned the ticks between', async () => {
    const proof = await extendedProof([headAt(0)], ticksAfterOf(log, 1))
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(0) }, noPause)
    expect([proof.ticks[0]![0], report.ok]).toEqual([first, true])
  })

  it('that differ for one tick fail the check', async () => {
    const two = [...seenHeads(first + 2), { ...seenHeads(first + 2)[0]!, hash: 'f'.repeat(64) }]
    for (const heads of [two, two.toReversed()]) {
      const report = await checkProof(sampleProof(), { agreed: null, heads }, noPause)
      expect(report.chain).toMatchObject({ ok: false, why: 'hash', seq: first + 2, statedBy: 'device' })
    }
  })
})

it('checkProof accepts an order that was refunded because its feed stayed down', async () => {
  const down = closeAt - 5000
  const whole = sampleProof({}, [{ from: down, to: null }])
  const ticks = whole.ticks.filter(([, at]) => at <= down)
  const proof = { ...whole, ticks, after: headAt(ticks.at(-1)![0]), watermarkAt: epochMs(down), final: false }
  const exit = ticks.at(-1)!
  const order = { ...proof.order, exit: { seq: exit[0], at: epochMs(exit[1]), price: exit[2] } }
  const report = await checkProof({ ...proof, order }, { agreed: null, heads: [] }, noPause)
  expect([proof.order.reason, report.ticks.ok, report.ok]).toEqual(['FEED_DOWN', true, true])
  const noGap = await checkProof({ ...proof, order, gaps: [] }, { agreed: null, heads: [] }, noPause)
  expect(noGap.ticks).toMatchObject({ ok: false, why: 'short' })
})
