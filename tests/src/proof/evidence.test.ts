import { describe, expect, it } from 'vitest'
import type { Head, WireTick } from '../../../contract/chain.ts'
import { verifyChain } from '../../../contract/chain.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Failure } from '../../../streams/index.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { TicksAfter, CompleteProof } from '../../../src/proof/collect.ts'
import { extendToHeads } from '../../../src/proof/collect.ts'
import { closeAt, headAt, log, sampleProof } from '../../support/sampleProof.ts'

const noPause = () => Promise.resolve()
const seenHeads = (...seqs: number[]) => seqs.map((seq) => ({ ...headAt(seq), watermark: 0, seenAt: 0 }))
const agreedOf = ({ order }: CompleteProof) => {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt: end } = order
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt: end }
}

/** A venue with a log, its chain hashed from the product's beginning. */
const venue =
  (ticks: readonly WireTick[], pruned = 0, page = 5): TicksAfter =>
  async (productId, afterSeq, limit) => {
    if (afterSeq < pruned) return { ok: false, failure: gone }
    const walked = verifyChain(productId, headAt(0), ticks.slice(0, afterSeq))
    const rest = ticks.filter(([seq]) => seq > afterSeq)
    const given = rest
      .slice(0, Math.min(limit, page))
      .map((tick): [number, number, string, string] => [...tick])
    const before = walked.ok ? walked.head : null
    return { ok: true, value: { ticks: given, complete: given.length === rest.length, before }, at: 0 }
  }
const gone: Failure = { kind: 'rejected', status: 410, code: 'PRUNED', params: {}, fields: {}, at: 0 }

async function reached(heads: readonly Head[], ask: TicksAfter): Promise<CompleteProof> {
  const answer = await extendToHeads(sampleProof(), heads, ask)
  if (!answer.ok) throw new Error('not reached')
  return answer.value
}

describe('what was agreed', () => {
  it('is held against the order of the proof', async () => {
    const proof = sampleProof()
    const honest = await checkProof(proof, { agreed: agreedOf(proof), heads: [] }, noPause)
    expect([honest.agreed, honest.ok]).toEqual([{ ok: true, held: true }, true])
    const unknown = await checkProof(proof, { agreed: null, heads: [] }, noPause)
    expect([unknown.agreed, unknown.ok]).toEqual([{ ok: true, held: false }, true])
  })

  it.each<[string, Partial<Order>]>([
    ['direction', { direction: 'down' }],
    ['amount', { amount: '9.99' }],
    ['rateBp', { rateBp: 8400 }],
    ['closeAt', { closeAt: closeAt - 1 }],
    ['terms', { terms: { ...sampleProof().order.terms, maxTickGapMs: 1 } }],
  ])('another %s is told, though the proof holds in itself', async (field, part) => {
    const other = sampleProof(part)
    const blind = await checkProof(other, { agreed: null, heads: [] }, noPause)
    const agreed = agreedOf(sampleProof())
    const report = await checkProof(
      { ...other, order: { ...other.order, ...part } },
      { agreed, heads: [] },
      noPause,
    )
    expect([blind.agreed.ok, report.agreed, report.ok]).toEqual([
      true,
      { ok: false, differs: [field] },
      false,
    ])
  })
})

describe('heads in hand', () => {
  const ends = sampleProof()
  const first = ends.ticks[0]![0]
  const last = ends.ticks.at(-1)![0]

  it('inside the proof need no further call', async () => {
    const proof = await reached([headAt(first + 2)], () => Promise.reject(new Error('requested')))
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(first + 2) }, noPause)
    expect(report.chain).toMatchObject({ ok: true, seen: 1 })
  })

  it('on both sides are joined to the proof by the ticks between, over several pages', async () => {
    // The sample's log has more ticks after the order than before it.
    const own = [0, last + 8]
    const proof = await reached(own.map(headAt), venue(log))
    expect([proof.ticks[0]![0], proof.ticks.at(-1)![0]]).toEqual([1, last + 8])
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(...own) }, noPause)
    expect(report.chain).toMatchObject({ ok: true, seen: 2 })
    expect(report.ok).toBe(true)
  })

  it('a past that was rewritten after the order ended is caught by the head of its end', async () => {
    const at = last - 10
    const rewritten = log.map((tick): WireTick =>
      tick[0] < at ? tick : [tick[0], tick[1], '99.99', tick[3]],
    )
    const hashed = (seq: number): Head => {
      const walked = verifyChain('A', headAt(0), rewritten.slice(0, seq))
      if (!walked.ok) throw new Error('does not chain')
      return walked.head
    }
    const forged = {
      ...sampleProof(),
      ticks: rewritten.slice(first - 1, last),
      after: hashed(last),
    } as CompleteProof
    const answer = await extendToHeads(forged, [headAt(last + 5)], venue(rewritten))
    if (!answer.ok) throw new Error('not reached')
    const report = await checkProof(answer.value, { agreed: null, heads: seenHeads(last + 5) }, noPause)
    expect(report.chain).toMatchObject({ ok: false, why: 'hash', seq: last + 5, seenLive: true })
  })

  it('a log that ends before a head in hand was cut', async () => {
    const proof = await reached([headAt(last + 8)], venue(log.slice(0, last + 2)))
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(last + 8) }, noPause)
    expect(report.chain).toEqual({ ok: false, why: 'truncated', seq: last + 8, end: last + 2 })
  })

  it('old ticks that the venue has dropped are no fault', async () => {
    const proof = await reached([headAt(0)], venue(log, 1))
    const report = await checkProof(proof, { agreed: null, heads: seenHeads(0) }, noPause)
    expect([proof.ticks[0]![0], report.ok]).toEqual([first, true])
  })

  it('two that differ for one tick cannot both hold', async () => {
    const two = [...seenHeads(first + 2), { ...seenHeads(first + 2)[0]!, hash: 'f'.repeat(64) }]
    for (const heads of [two, two.toReversed()]) {
      const report = await checkProof(sampleProof(), { agreed: null, heads }, noPause)
      expect(report.chain).toMatchObject({ ok: false, why: 'hash', seq: first + 2, seenLive: true })
    }
  })
})

it('an order that was refunded because its feed stayed down is not called short', async () => {
  const down = closeAt - 5000
  const whole = sampleProof({}, [{ from: down, to: null }])
  const ticks = whole.ticks.filter(([, at]) => at <= down)
  const proof = { ...whole, ticks, after: headAt(ticks.at(-1)![0]), watermarkAt: down, final: false }
  const exit = ticks.at(-1)!
  const order = { ...proof.order, exit: { seq: exit[0], at: exit[1], price: exit[2] } }
  const report = await checkProof({ ...proof, order }, { agreed: null, heads: [] }, noPause)
  expect([proof.order.reason, report.ticks.ok, report.ok]).toEqual(['FEED_DOWN', true, true])
  const silent = await checkProof({ ...proof, order, gaps: [] }, { agreed: null, heads: [] }, noPause)
  expect(silent.ticks).toMatchObject({ ok: false, why: 'short' })
})
