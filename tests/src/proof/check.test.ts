import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { genesis, verifyChain } from '../../../contract/chain.ts'
import type { Order, Proof } from '../../../contract/orders.ts'
import type { Failure, SeenHead } from '../../../streams/index.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { CompleteProof } from '../../../src/proof/collect.ts'
import { collectProof } from '../../../src/proof/collect.ts'
import { acceptedAt, closeAt, headAt, log, sampleProof, source } from '../../support/sampleProof.ts'

const noPause = () => Promise.resolve()
const check = (proof: CompleteProof, seen: SeenHead[] = []) =>
  checkProof(proof, { agreed: null, heads: seen }, noPause)
const seenAt = (seq: number, watermark = 0): SeenHead => ({ ...headAt(seq), watermark, seenAt: watermark })
/** The proof with one tick's field replaced. */
const forged = (
  proof: CompleteProof,
  index: number,
  field: 0 | 1 | 2 | 3,
  value: string | number,
): CompleteProof => ({
  ...proof,
  ticks: proof.ticks.map((tick, i) => (i === index ? (tick.with(field, value) as typeof tick) : tick)),
})

describe('an honest proof', () => {
  it.each(['up', 'down'] as const)('of %s holds in every line', async (direction) => {
    const report = await check(sampleProof({ direction }), [seenAt(20), seenAt(30)])
    expect(report.ok).toBe(true)
    expect(report.chain).toMatchObject({ ok: true, seen: 2 })
  })

  it('of a refund holds too', async () => {
    const proof = sampleProof({}, [{ from: closeAt - 200, to: closeAt + 900 }])
    expect(proof.order).toMatchObject({ status: 'refunded', reason: 'FEED_DOWN', payout: '10.00' })
    expect((await check(proof)).ok).toBe(true)
  })

  it('of an order whose source changed holds, also before it would have closed', async () => {
    const other = { ...source, sinceAt: acceptedAt + 9000, fingerprint: 'other' }
    const proof = sampleProof({}, [], [source, other])
    expect(proof.order).toMatchObject({ status: 'refunded', reason: 'SOURCE_CHANGED', payout: '10.00' })
    expect(proof.order.exit!.at).toBeLessThanOrEqual(other.sinceAt)
    const early = proof.ticks.filter(([, at]) => at < acceptedAt + 15_000)
    const now = { ticks: early, after: headAt(early.at(-1)![0]), watermarkAt: acceptedAt + 15_000 }
    for (const each of [proof, { ...proof, ...now }]) {
      const report = await check(each)
      expect(report).toMatchObject({ ok: true, source: { source, changedAt: other.sinceAt } })
    }
  })

  it('pauses between chunks of hashing', async () => {
    let pauses = 0
    const many = sampleProof()
    const ticks = Array.from({ length: 900 }, (_, i): [number, number, string, string] => [
      i + 1,
      i,
      '1.00',
      '1',
    ])
    const ends = { before: genesis('A'), after: { seq: 900, hash: '' } }
    await checkProof({ ...many, ...ends, ticks }, { agreed: null, heads: [] }, () => {
      pauses += 1
      return Promise.resolve()
    })
    expect(pauses).toBe(2)
  })
})

describe('a proof that was tampered with', () => {
  it('any one byte of any tick is told', async () => {
    const proof = sampleProof()
    const place = fc.record({
      index: fc.nat(proof.ticks.length - 1),
      field: fc.constantFrom(0, 1, 2, 3),
      at: fc.nat(30),
      digit: fc.integer({ min: 1, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(place, async ({ index, field, at, digit }) => {
        const text = String(proof.ticks[index]![field])
        const digits = Array.from(text, (char, i) => (char === '.' ? -1 : i)).filter((i) => i >= 0)
        const where = digits[at % digits.length]!
        const changed = `${text.slice(0, where)}${(Number(text[where]) + digit) % 10}${text.slice(where + 1)}`
        const report = await check(forged(proof, index, field, field < 2 ? Number(changed) : changed))
        expect(report.ok).toBe(false)
        expect(report.ticks.ok && report.chain.ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it('prices of two sources need a refund', async () => {
    const other = { ...source, sinceAt: acceptedAt + 9000, fingerprint: 'other' }
    const proof = sampleProof()
    const report = await check({ ...proof, sources: [source, other] })
    expect(report.source).toEqual({ ok: false, why: 'other', changedAt: other.sinceAt })
    expect(report.result).toMatchObject({ ok: false, expected: { reason: 'SOURCE_CHANGED' } })
    expect(report.ok).toBe(false)
  })

  it.each([
    ['none', { sources: [] }],
    ['one that began later', { sources: [{ ...source, sinceAt: acceptedAt + 1 }] }],
    ['another than the terms', { source: 'other' }],
  ])('a source that is not told (%s) is missed', async (_, part) => {
    expect((await check({ ...sampleProof(), ...part })).source).toEqual({ ok: false, why: 'none' })
  })

  it('a missing tick is named', async () => {
    const proof = sampleProof()
    const gone = proof.ticks[7]![0]
    const report = await check({ ...proof, ticks: proof.ticks.filter(([seq]) => seq !== gone) })
    expect(report.ticks).toEqual({ ok: false, why: 'hole', seq: gone })
    expect(report.chain.ok).toBe(false)
  })

  it('ticks that begin after the order, or end before it does, are not enough', async () => {
    const proof = sampleProof()
    const late = { ...proof, ticks: proof.ticks.slice(6), before: headAt(proof.ticks[5]![0]) }
    expect((await check(late)).ticks).toEqual({ ok: false, why: 'late', seq: proof.ticks[6]![0] })
    const cut = proof.ticks.slice(0, 20)
    const short = { ...proof, ticks: cut, after: headAt(cut.at(-1)![0]), watermarkAt: closeAt - 1 }
    expect((await check(short)).ticks).toEqual({ ok: false, why: 'short', seq: cut.at(-1)![0] })
    expect((await check({ ...short, watermarkAt: closeAt })).ticks.ok).toBe(true)
  })

  it('a rewritten past, hashed anew, is caught by a head that was seen live', async () => {
    const proof = sampleProof()
    const rewritten = forged(proof, 9, 2, '99.99')
    const walked = verifyChain('A', rewritten.before!, rewritten.ticks)
    const consistent = { ...rewritten, after: walked.ok ? walked.head : null }
    expect((await check(consistent)).chain.ok).toBe(true)
    const seen = proof.ticks[12]![0]
    expect((await check(consistent, [seenAt(seen)])).chain).toMatchObject({
      ok: false,
      why: 'hash',
      seq: seen,
      seenLive: true,
      expected: headAt(seen).hash,
    })
  })

  it('a gap over time that was seen covered is called false', async () => {
    const proof = sampleProof({}, [{ from: closeAt - 3000, to: closeAt + 900 }])
    expect((await check(proof)).ticks.ok).toBe(true)
    expect((await check(proof, [seenAt(20, closeAt - 1000)])).ticks).toMatchObject({ ok: false, why: 'gap' })
  })

  it('another entry, exit, result or payout than the rule’s is told in its own line', async () => {
    const proof = sampleProof()
    const lie = (part: Partial<Order>) => check({ ...proof, order: { ...proof.order, ...part } })
    const other = { seq: proof.ticks[5]![0], at: proof.ticks[5]![1], price: proof.ticks[5]![2] }
    expect((await lie({ entry: other })).entry.ok).toBe(false)
    expect((await lie({ exit: other })).exit.ok).toBe(false)
    expect((await lie({ status: 'tied' })).result.ok).toBe(false)
    expect((await lie({ payout: '0.01' })).payout.ok).toBe(false)
    expect((await lie({ pnl: null })).payout.ok).toBe(false)
  })
})

describe('collecting a proof of many pages', () => {
  const whole = sampleProof()
  const paged = (first: number): Proof => {
    const { seams: _, ...rest } = whole
    return {
      ...rest,
      ticks: whole.ticks.slice(0, first),
      after: headAt(whole.ticks[first - 1]![0]),
      final: false,
      more: true,
    }
  }
  const asks: [number, number][] = []
  const ticksAfter = (_: string, afterSeq: number, limit: number) => {
    asks.push([afterSeq, limit])
    const rest = log.filter(([seq]) => seq > afterSeq)
    const ticks = rest
      .slice(0, Math.min(limit, 15))
      .map((tick) => [...tick] as [number, number, string, string])
    return Promise.resolve({
      ok: true as const,
      value: { ticks, complete: ticks.length === rest.length, before: headAt(afterSeq) },
      at: 0,
    })
  }

  it('goes on until a tick lies past the close, asks for the last head, and holds', async () => {
    const result = await collectProof(paged(10), ticksAfter)
    if (!result.ok) throw new Error('not collected')
    const { ticks, final, after } = result.value
    expect(ticks.at(-1)![1]).toBeGreaterThan(closeAt)
    expect(ticks.filter(([, at]) => at > closeAt)).toHaveLength(1)
    expect(final).toBe(true)
    expect(after).toEqual(headAt(ticks.at(-1)![0]))
    expect(asks.at(-1)).toEqual([ticks.at(-1)![0], 1])
    expect((await check(result.value)).ok).toBe(true)
  })

  it('hands a failed page on', async () => {
    const failure: Failure = { kind: 'timeout' }
    const result = await collectProof(paged(10), () => Promise.resolve({ ok: false, failure }))
    expect(result).toEqual({ ok: false, failure })
  })

  it('asks for nothing where one answer holds all', async () => {
    const { seams: _, ...rest } = whole
    const result = await collectProof({ ...rest, more: false }, () => Promise.reject(new Error('requested')))
    expect(result.ok && result.value.ticks.length).toBe(whole.ticks.length)
  })
})
