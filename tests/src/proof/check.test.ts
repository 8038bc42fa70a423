import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { genesis, verifyChain } from '../../../contract/chain.ts'
import type { Order, Proof } from '../../../contract/orders.ts'
import type { Failure, SeenHead } from '../../../streams/index.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import { collectProof } from '../../../src/proof/collect.ts'
import { acceptedAt, closeAt, headAt, log, sampleProof, source } from '../../support/sampleProof.ts'
import { fc } from '../../support/fastCheck.ts'

const averagedTerms: Order['terms'] = {
  rule: 'R2',
  priceDecimals: 2,
  rateBp: 8500,
  entryDelayMs: 500,
  entryTimeoutMs: 10_000,
  maxTickGapMs: 15_000,
  exitWindowMs: 10_000,
  exitCutBp: 2000,
  exitMinTicks: 5,
  source: 'test',
}
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

describe('checkProof with a correct proof', () => {
  it.each(['up', 'down'] as const)('passes every line for %s', async (direction) => {
    const report = await check(sampleProof({ direction }), [seenAt(20), seenAt(30)])
    expect(report.ok).toBe(true)
    expect(report.chain).toMatchObject({ ok: true, seen: 2 })
  })

  it('passes for a refund', async () => {
    const proof = sampleProof({}, [{ from: closeAt - 200, to: closeAt + 900 }])
    expect(proof.order).toMatchObject({ status: 'refunded', reason: 'FEED_DOWN', payout: '10.00' })
    expect((await check(proof)).ok).toBe(true)
  })

  it('passes for an order whose source changed, also before its close', async () => {
    const other = { ...source, sinceAt: acceptedAt + 9000, fingerprint: 'other' }
    const proof = sampleProof({}, [], [source, other])
    expect(proof.order).toMatchObject({ status: 'refunded', reason: 'SOURCE_CHANGED', payout: '10.00' })
    const exit = proof.order.exit!
    expect('at' in exit && exit.at <= other.sinceAt).toBe(true)
    const early = proof.ticks.filter(([, at]) => at < acceptedAt + 15_000)
    const now = { ticks: early, after: headAt(early.at(-1)![0]), watermarkAt: epochMs(acceptedAt + 15_000) }
    for (const one of [proof, { ...proof, ...now }]) {
      const report = await check(one)
      expect(report).toMatchObject({ ok: true, source: { source, changedAt: other.sinceAt } })
    }
  })

  it('recomputes the mean of an order with rule R2, and finds one that was booked otherwise', async () => {
    const proof = sampleProof({ terms: averagedTerms })
    const { exit } = proof.order
    if (exit === null || !('value' in exit)) throw new Error('no mean')
    expect(proof.rule).toBe('R2')
    expect(await check(proof)).toMatchObject({ ok: true, exit: { ok: true, claimed: exit } })
    for (const change of [{ value: '10.000' }, { ticks: 1 }, { from: 1 }, { to: 1 }]) {
      const report = await check({ ...proof, order: { ...proof.order, exit: { ...exit, ...change } } })
      expect(report).toMatchObject({ ok: false, exit: { ok: false }, result: { ok: true } })
    }
    const tick = { seq: 1, at: epochMs(1), price: '10.00' }
    expect((await check({ ...proof, order: { ...proof.order, exit: tick } })).ok).toBe(false)
  })

  it('pauses between chunks of hashing', async () => {
    let pauses = 0
    const proof = sampleProof()
    const ticks = Array.from({ length: 900 }, (_, i): [number, number, string, string] => [
      i + 1,
      i,
      '1.00',
      '1',
    ])
    const ends = { before: genesis('A'), after: { seq: 900, hash: '' } }
    await checkProof({ ...proof, ...ends, ticks }, { agreed: null, heads: [] }, () => {
      pauses += 1
      return Promise.resolve()
    })
    expect(pauses).toBe(2)
  })
})

describe('checkProof with a tampered proof', () => {
  it('detects any changed digit of any tick', async () => {
    const proof = sampleProof()
    const change = fc.record({
      index: fc.nat(proof.ticks.length - 1),
      field: fc.constantFrom(0, 1, 2, 3),
      at: fc.nat(30),
      digit: fc.integer({ min: 1, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ index, field, at, digit }) => {
        const text = String(proof.ticks[index]![field])
        const digits = Array.from(text, (char, i) => (char === '.' ? -1 : i)).filter((i) => i >= 0)
        const i = digits[at % digits.length]!
        const changed = `${text.slice(0, i)}${(Number(text[i]) + digit) % 10}${text.slice(i + 1)}`
        const report = await check(forged(proof, index, field, field < 2 ? Number(changed) : changed))
        expect(report.ok).toBe(false)
        expect(report.ticks.ok && report.chain.ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it('rejects prices of two sources without a refund', async () => {
    const other = { ...source, sinceAt: acceptedAt + 9000, fingerprint: 'other' }
    const proof = sampleProof()
    const report = await check({ ...proof, sources: [source, other] })
    expect(report.source).toEqual({ ok: false, why: 'other', changedAt: other.sinceAt })
    expect(report.result).toMatchObject({ ok: false, expected: { reason: 'SOURCE_CHANGED' } })
    expect(report.ok).toBe(false)
  })

  it.each([
    ['none', { sources: [] }],
    ['one that starts later', { sources: [{ ...source, sinceAt: acceptedAt + 1 }] }],
  ])('rejects a missing source (%s)', async (_, part) => {
    expect((await check({ ...sampleProof(), ...part })).source).toEqual({ ok: false, why: 'none' })
  })

  it('tells another source than that of the terms, and sources that do not follow one another, from a missing one', async () => {
    const proof = sampleProof()
    const stated = { ok: false, why: 'terms', stated: 'other', terms: source.fingerprint }
    expect((await check({ ...proof, source: 'other' })).source).toEqual(stated)
    for (const sinceAt of [source.sinceAt, source.sinceAt - 1])
      expect((await check({ ...proof, sources: [source, { ...source, sinceAt }] })).source).toEqual({
        ok: false,
        why: 'sequence',
        sinceAt,
      })
  })

  it('reports a missing tick', async () => {
    const proof = sampleProof()
    const missing = proof.ticks[7]![0]
    const report = await check({ ...proof, ticks: proof.ticks.filter(([seq]) => seq !== missing) })
    expect(report.ticks).toEqual({ ok: false, why: 'hole', seq: missing })
    expect(report.chain.ok).toBe(false)
  })

  it('rejects a proof whose last head is not that of its last tick', async () => {
    const proof = sampleProof()
    for (const seq of [proof.ticks[0]![0] - 2, proof.ticks[4]![0], proof.ticks.at(-1)![0] + 1]) {
      const report = await check({ ...proof, after: headAt(seq) })
      expect(report.chain).toMatchObject({ ok: false, why: 'hash', seq })
    }
  })

  it('rejects ticks that begin after the order, or end before it', async () => {
    const proof = sampleProof()
    const late = { ...proof, ticks: proof.ticks.slice(6), before: headAt(proof.ticks[5]![0]) }
    expect((await check(late)).ticks).toEqual({ ok: false, why: 'late', seq: proof.ticks[6]![0] })
    const ticks = proof.ticks.slice(0, 20)
    const short = { ...proof, ticks, after: headAt(ticks.at(-1)![0]), watermarkAt: epochMs(closeAt - 1) }
    expect((await check(short)).ticks).toEqual({ ok: false, why: 'short', seq: ticks.at(-1)![0] })
    expect((await check({ ...short, watermarkAt: epochMs(closeAt) })).ticks.ok).toBe(true)
  })

  it('detects a rewritten and rehashed past by a head seen live', async () => {
    const proof = sampleProof()
    const rewritten = forged(proof, 9, 2, '99.99')
    const verified = verifyChain('A', rewritten.before!, rewritten.ticks)
    const consistent = { ...rewritten, after: verified.ok ? verified.head : null }
    expect((await check(consistent)).chain.ok).toBe(true)
    const seen = proof.ticks[12]![0]
    expect((await check(consistent, [seenAt(seen)])).chain).toMatchObject({
      ok: false,
      why: 'hash',
      seq: seen,
      statedBy: 'device',
      expected: headAt(seen).hash,
    })
  })

  it('rejects a gap over time covered by a watermark seen live', async () => {
    const proof = sampleProof({}, [{ from: closeAt - 3000, to: closeAt + 900 }])
    expect((await check(proof)).ticks.ok).toBe(true)
    expect((await check(proof, [seenAt(20, closeAt - 1000)])).ticks).toMatchObject({ ok: false, why: 'gap' })
  })

  it('rejects a tick that was added to a time whose every tick was seen live', async () => {
    const proof = sampleProof()
    const [[seq], [nextSeq, nextAt]] = [proof.ticks[7]!, proof.ticks[8]!]
    expect((await check(proof, [seenAt(seq, nextAt - 1)])).ticks.ok).toBe(true)
    const added = { ok: false, why: 'added', seq: nextSeq }
    expect((await check(proof, [seenAt(seq, nextAt)])).ticks).toEqual(added)
    const [firstSeq, firstAt] = proof.ticks[0]!
    expect((await check(proof, [seenAt(firstSeq - 2, firstAt)])).ticks).toEqual({ ...added, seq: firstSeq })
    expect((await check(proof, [seenAt(proof.ticks.at(-1)![0], closeAt + 90_000)])).ticks.ok).toBe(true)
  })

  /** As many as a file has room for: looking at pairs of them would take minutes, and stop the page that checks it. */
  it.each<[string, number, (n: number) => { heads?: SeenHead[]; part?: Partial<CompleteProof> }]>([
    ['heads of one number', 120_000, (n) => ({ heads: Array<SeenHead>(n).fill(seenAt(30)) })],
    [
      'heads of a number beyond the ticks',
      120_000,
      (n) => ({
        heads: Array.from({ length: n }, (_, i) => ({ seq: 9999, hash: String(i), watermark: 0, seenAt: 0 })),
      }),
    ],
    [
      'seams of one number',
      150_000,
      (n) => ({ part: { seams: Array<Proof['before'] & object>(n).fill(headAt(30)) } }),
    ],
    [
      'gaps and heads',
      60_000,
      (n) => ({
        heads: Array<SeenHead>(n).fill(seenAt(30)),
        part: { gaps: Array.from({ length: n }, (_, i) => ({ from: 5_000_000 + i, to: 5_000_001 + i })) },
      }),
    ],
  ])('ends soon for a file full of %s', async (_name, n, fill) => {
    const { heads, part } = fill(n)
    expect((await check({ ...sampleProof(), ...part }, heads)).ok).toBe(true)
  })

  it('compares each of two stated heads with one number', async () => {
    const proof = sampleProof()
    const stated = { ...proof.after!, hash: '0'.repeat(64) }
    expect((await check({ ...proof, seams: [stated] })).chain).toMatchObject({
      ok: false,
      why: 'hash',
      seq: stated.seq,
      expected: stated.hash,
      statedBy: 'proof',
    })
  })

  it('reports a wrong entry, exit, result or payout in its own line', async () => {
    const proof = sampleProof()
    const checkWith = (part: Partial<Order>) => check({ ...proof, order: { ...proof.order, ...part } })
    const other = { seq: proof.ticks[5]![0], at: epochMs(proof.ticks[5]![1]), price: proof.ticks[5]![2] }
    expect((await checkWith({ entry: other })).entry.ok).toBe(false)
    expect((await checkWith({ exit: other })).exit.ok).toBe(false)
    expect((await checkWith({ status: 'tied' })).result.ok).toBe(false)
    expect((await checkWith({ payout: '0.01' })).payout.ok).toBe(false)
    expect((await checkWith({ pnl: null })).payout.ok).toBe(false)
  })
})

describe('collectProof', () => {
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
  const requests: [number, number][] = []
  const ticksAfter = (_: string, afterSeq: number, limit: number) => {
    requests.push([afterSeq, limit])
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

  it('fetches until a tick is past the close, then the last head', async () => {
    const result = await collectProof(paged(10), ticksAfter)
    if (!result.ok) throw new Error('not collected')
    const { ticks, final, after } = result.value
    expect(ticks.at(-1)![1]).toBeGreaterThan(closeAt)
    expect(ticks.filter(([, at]) => at > closeAt)).toHaveLength(1)
    expect(final).toBe(true)
    expect(after).toEqual(headAt(ticks.at(-1)![0]))
    expect(requests.at(-1)).toEqual([ticks.at(-1)![0], 1])
    expect((await check(result.value)).ok).toBe(true)
  })

  it('returns the failure of a page', async () => {
    const failure: Failure = { kind: 'timeout' }
    const result = await collectProof(paged(10), () => Promise.resolve({ ok: false, failure }))
    expect(result).toEqual({ ok: false, failure })
  })

  it('requests nothing if the first answer is complete', async () => {
    const { seams: _, ...rest } = whole
    const result = await collectProof({ ...rest, more: false }, () => Promise.reject(new Error('requested')))
    expect(result.ok && result.value.ticks.length).toBe(whole.ticks.length)
  })
})
