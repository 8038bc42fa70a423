import { describe, expect, it } from 'vitest'
import { verifyProof } from 'uptick'
import { proofFile } from '../../src/proof/proofFile.ts'
import { headAt, sampleProof } from '../support/sampleProof.ts'

const averaging = { rule: 'R2', entryDelayMs: 500, exitWindowMs: 10_000, exitMinTicks: 1 }

const file = () =>
  JSON.parse(JSON.stringify(proofFile({ proof: sampleProof(), heads: [], agreed: null, savedAt: 1 }))) as {
    order: Record<string, unknown>
    ticks: [number, number, string, string][]
    gaps: unknown[]
  } & Record<string, unknown>

const agreedOf = ({ order }: ReturnType<typeof file>): Record<string, unknown> => {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = order
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
}

describe('verifyProof', () => {
  it('accepts an exported proof, and meets heads from elsewhere', async () => {
    const [first, last] = [file().ticks[0]![0], file().ticks.at(-1)![0]]
    expect(await verifyProof(file(), [headAt(first), headAt(last), headAt(60)])).toMatchObject({
      kind: 'holds',
      ticks: last - first + 1,
      headsMet: 2,
    })
  })

  it('names the first step that does not hold', async () => {
    const changes: [string, (proof: ReturnType<typeof file>) => void][] = [
      ['chain', ({ ticks }) => void (ticks[4]![2] = '12.34')],
      ['ticks', ({ ticks }) => void ticks.splice(4, 1)],
      ['payout', ({ order }) => void (order['payout'] = '999.00')],
      ['source', (proof) => void (proof['source'] = 'other')],
      ['agreed', (proof) => void (proof['agreed'] = { ...agreedOf(proof), amount: '1.00' })],
    ]
    for (const [step, change] of changes) {
      const proof = file()
      change(proof)
      expect(await verifyProof(proof), step).toMatchObject({ kind: 'refuted', step })
    }
    const { ticks } = file()
    const foreign = { seq: ticks[3]![0], hash: '0'.repeat(64) }
    expect(await verifyProof(file(), [foreign])).toMatchObject({
      kind: 'refuted',
      step: 'chain',
      found: { why: 'hash', seq: foreign.seq, statedBy: 'elsewhere' },
    })
    expect(await verifyProof(file(), [{ ...foreign, statedBy: 'venue' }])).toMatchObject({
      found: { why: 'hash', seq: foreign.seq, statedBy: 'venue' },
    })
    const seen = { ...foreign, watermarkAt: 1, seenAt: 1, from: 'feed' }
    expect(await verifyProof({ ...file(), heads: [seen] })).toMatchObject({ found: { statedBy: 'device' } })
  })

  it('spells what the rules give as the order does', async () => {
    const { order } = file()
    const changes: [string, Record<string, unknown>][] = [
      ['entry', { entry: { ...(order['entry'] as object), price: '9.99' } }],
      ['exit', { exit: { ...(order['exit'] as object), price: '9.99' } }],
      ['result', { status: 'tied', reason: null }],
      ['payout', { payout: '999.00', pnl: '989.00' }],
    ]
    for (const [step, change] of changes) {
      const proof = file()
      const names = Object.keys(change)
      const part = (of: Record<string, unknown>) =>
        names.length === 1 ? of[step] : Object.fromEntries(names.map((name) => [name, of[name]]))
      Object.assign(proof.order, change)
      expect(await verifyProof(proof)).toMatchObject({
        kind: 'refuted',
        step,
        found: { expected: part(order), claimed: part(change) },
      })
    }
  })

  it('says which field is not that of a proof', async () => {
    expect(await verifyProof(null)).toEqual({ kind: 'unusable', why: 'not a proof file' })
    expect(await verifyProof({ ...file(), ticks: [[1, 2, 3]] })).toMatchObject({ kind: 'unusable' })
    const withoutMiddle = file()
    withoutMiddle.order['terms'] = {
      ...(withoutMiddle.order['terms'] as object),
      ...averaging,
      exitCutBp: 5000,
    }
    expect(await verifyProof(withoutMiddle)).toMatchObject({ kind: 'unusable' })
    const running = file()
    running.order['settledAt'] = null
    expect(await verifyProof(running)).toEqual({ kind: 'unusable', why: 'the order is not settled yet' })
  })

  it('refuses numbers that no venue can state, before it computes with them', async () => {
    const changes: [string, (proof: ReturnType<typeof file>) => void][] = [
      ['order.amount', ({ order }) => void (order['amount'] = '-10.01')],
      ['order.terms.rateBp', (proof) => setTerms(proof, { rateBp: Number.MAX_SAFE_INTEGER })],
      ['order.terms.rateBp', (proof) => setTerms(proof, { rateBp: -8500 })],
      ['order.terms.priceDecimals', (proof) => setTerms(proof, { priceDecimals: 400 })],
      ['order.terms.entryTimeoutMs', (proof) => setTerms(proof, { entryTimeoutMs: -1 })],
      [
        'order.terms.exitMinTicks',
        (proof) => setTerms(proof, { ...averaging, exitCutBp: 0, exitMinTicks: 0 }),
      ],
      ['savedAt', (proof) => void (proof['savedAt'] = null)],
      ['heads.0.seenAt', (proof) => void (proof['heads'] = [seenHead({ seenAt: -1 })])],
      ['heads.0.from', (proof) => void (proof['heads'] = [seenHead({ from: 'elsewhere' })])],
    ]
    for (const [field, change] of changes) {
      const proof = file()
      change(proof)
      expect(await verifyProof(proof)).toEqual({
        kind: 'unusable',
        why: `not a proof file: field ${field}`,
      })
    }
  })

  it('compares every field of what the device agreed to, and accepts no part of it', async () => {
    for (const name of Object.keys(agreedOf(file()))) {
      const proof = file()
      const { [name]: _left, ...rest } = agreedOf(proof)
      expect(await verifyProof({ ...proof, agreed: rest })).toMatchObject({ kind: 'unusable' })
    }
    expect(await verifyProof({ ...file(), agreed: agreedOf(file()) })).toMatchObject({ kind: 'holds' })
  })

  it('accepts money in one spelling', async () => {
    const proof = file()
    for (const name of ['payout', 'pnl']) {
      if (proof.order[name] !== '0.00') continue
      const order = { ...proof.order, [name]: '-0.00' }
      expect(await verifyProof({ ...proof, order })).toMatchObject({ kind: 'refuted', step: 'payout' })
    }
    expect([proof.order['payout'], proof.order['pnl']]).toContain('0.00')
  })
})

/** docs/protocol.md says each of these in a sentence, for those who write a verifier from it. */
describe('what the protocol page decides', () => {
  const text = JSON.stringify(file())
  const asText = (change: (text: string) => string) => verifyProof(JSON.parse(change(text)))
  const withPart = (part: object) => verifyProof({ ...file(), ...part })
  const sourcesOf = (proof: object) => (proof as { sources: Record<string, unknown>[] }).sources

  it('a number is an integer by its value, and of two fields with one name the last counts', async () => {
    expect(await asText((own) => own.replace('"seconds":30', '"seconds":30.0'))).toMatchObject({
      kind: 'holds',
    })
    expect(await asText((own) => own.replace('"seconds":30', '"seconds":3e1'))).toMatchObject({
      kind: 'holds',
    })
    expect(await asText((own) => own.replace('"seconds":30', '"seconds":30.5'))).toMatchObject({
      kind: 'unusable',
    })
    expect(await asText((own) => own.replace('"seconds":30', '"seconds":9,"seconds":30'))).toMatchObject({
      kind: 'holds',
    })
  })

  it('the rule of the terms decides, whatever rule.name is', async () => {
    expect(await withPart({ rule: { name: 'R2' } })).toMatchObject({ kind: 'holds', rule: 'R1' })
    expect(await withPart({ rule: { name: 'R3' } })).toMatchObject({ kind: 'unusable' })
  })

  it('sources ascend, and their epoch is a number', async () => {
    const [own] = sourcesOf(file())
    expect(await withPart({ sources: [own, own] })).toMatchObject({
      kind: 'refuted',
      step: 'source',
      found: { why: 'sequence' },
    })
    expect(await withPart({ sources: [{ ...own, epoch: null }] })).toEqual({
      kind: 'unusable',
      why: 'not a proof file: field sources.0.epoch',
    })
    expect(await withPart({ source: 'other' })).toMatchObject({
      step: 'source',
      found: { why: 'terms', stated: 'other', terms: 'test' },
    })
  })

  it('a gap needs no refundedOrders, and gaps have no order', async () => {
    const gaps = [
      { from: 999_000, to: 999_500 },
      { from: 998_000, to: 998_500, refundedOrders: 3 },
    ]
    expect(await withPart({ gaps })).toMatchObject({ kind: 'holds' })
  })
})

function setTerms({ order }: ReturnType<typeof file>, part: object): void {
  order['terms'] = { ...(order['terms'] as object), ...part }
}

const seenHead = (part: object) => {
  return { ...headAt(20), watermarkAt: 1, seenAt: 1, from: 'feed', ...part }
}
