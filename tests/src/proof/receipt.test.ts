import { describe, expect, it } from 'vitest'
import { epochMs, priceUnits } from '../../../contract/units.ts'
import { verifyChain } from '../../../contract/chain.ts'
import { fillOf, wireExitOf } from '../../../contract/fills.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { settle } from '../../../contract/settle.ts'
import { formatReceipt, parseReceipt } from '../../../contract/receipt.ts'
import type { Order } from '../../../contract/orders.ts'
import { verifyProof } from '../../../packages/uptick/src/proof.ts'
import { createSigner } from '../../../server/market/publicLog/signer.ts'
import {
  checkProofFile,
  type CheckingDevice,
  type FileCheck,
} from '../../../src/pages/check/checkProofFile.ts'
import { proofFile } from '../../../src/proof/proofFile.ts'
import { signedReceipt } from '../../../src/proof/keptReceipt.ts'
import { checkReceipt } from '../../../src/proof/receipt.ts'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import type { AgreedTerms } from '../../../src/state/agreedTerms.ts'
import { cosigned, logKeys, logOf, origin, signer } from '../../support/sampleLog.ts'
import { account, receiptOf, signed, signedProof } from '../../support/sampleReceipt.ts'
import { headAt, sampleProof } from '../../support/sampleProof.ts'

const known = [{ key: logKeys.logKey, from: 'device' as const }]
const noEd25519 = () => Promise.reject(new Error('no such algorithm'))
const stranger = createSigner(new Uint8Array(32).fill(99))

const agreedOf = ({ order }: CompleteProof): AgreedTerms => {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = order
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
}

/** An exported file as text, with all evidence that there can be. */
const exported = (proof: CompleteProof): Record<string, unknown> => {
  const heads = [{ ...proof.after!, watermark: 1_029_000, seenAt: 1_029_000, from: 'feed' as const }]
  const parts = { proof: { ...proof, log: cosigned(logOf()) }, heads, agreed: agreedOf(proof), savedAt: 1 }
  return JSON.parse(JSON.stringify(proofFile(parts))) as Record<string, unknown>
}

/** The device of the member who placed the sample order, or one that knows nothing of it. */
async function deviceOf(kind: 'own' | 'another'): Promise<CheckingDevice> {
  const proof = signedProof()
  const kept = { text: proof.receipt, salt: account.salt }
  const none = { agreed: null, heads: [], receipt: null }
  const own = { agreed: agreedOf(proof), heads: [], receipt: kept }
  return {
    evidenceOf: async (orderId) => (kind === 'own' && orderId === proof.order.id ? own : none),
    receiptEvidenceOf: (receipt) => ({
      kept: receipt?.text,
      keys: known,
      account: receipt ? { memberId: account.memberId, salt: receipt.salt } : undefined,
    }),
    logKeys: () => logKeys,
  }
}

type Said =
  | 'as you placed it'
  | 'signed by this venue'
  | 'another key'
  | 'not signed'
  | 'refuted'
  | 'no proof'
function said(check: FileCheck): Said {
  if (!check.ok) return 'no proof'
  const { report, isOwn } = check
  if (!report.ok || !report.receipt.ok) return 'refuted'
  if (isOwn) return 'as you placed it'
  if (report.receipt.signed === 'venue') return 'signed by this venue'
  return report.receipt.signed === 'other' ? 'another key' : 'not signed'
}

const check = async (file: unknown, device: CheckingDevice): Promise<Said> =>
  said(await checkProofFile(new Blob([JSON.stringify(file)]), device))

describe('a receipt', () => {
  it('is read as it was written, in this spelling alone', async () => {
    const { order } = signedProof()
    const receipt = receiptOf(order)
    const text = formatReceipt(receipt)
    expect(parseReceipt(text)).toEqual(receipt)
    for (const other of [
      text.slice(0, -1),
      `${text}\n`,
      text.replace('amount 10.00', 'amount 010.0'),
      text.replace('seconds 30', 'seconds 030'),
      text.replace('/v1', '/v2'),
      text.replace('direction up', 'direction UP'),
      text.replace('no 1', 'no 1 2'),
      text.replace('acceptedAt 1000000', 'acceptedAt 9999999999999999'),
    ])
      expect(parseReceipt(other), other).toBeNull()
  })

  it('is of the venue also under a name that its log had before', async () => {
    const { order } = signedProof()
    const text = signed({ ...receiptOf(order), origin: 'venue.test/log/0' })
    expect(await checkReceipt(text, order, { keys: known })).toMatchObject({
      signed: 'venue',
      from: 'device',
    })
  })

  it('is of another key if that has signed it under the venue’s name, and of an unknown one if the venue’s is not known', async () => {
    const { order, receipt } = signedProof({}, stranger)
    const keys = [stranger.verifierKey(origin).split('+').slice(0, 2).join('+')]
    expect(await checkReceipt(receipt, order, { keys: known })).toEqual({ ok: true, signed: 'other', keys })
    expect(await checkReceipt(receipt, order, { keys: [] })).toEqual({ ok: true, signed: 'unknown', keys })
  })

  it('that this device has from the venue is refuted if another key than the venue’s has signed it', async () => {
    const { order, receipt } = signedProof({}, stranger)
    const found = { ok: false, why: 'key', keys: [expect.stringMatching(/^venue\.test/)] }
    expect(await checkReceipt(undefined, order, { kept: receipt, keys: known })).toEqual(found)
    expect(await checkReceipt(receipt, order, { kept: receipt, keys: known }, noEd25519)).toEqual(found)
    // Nobody can say that while no key of the venue is known.
    expect(await checkReceipt(receipt, order, { kept: receipt, keys: [] })).toMatchObject({ ok: true })
    const [own, other] = [await deviceOf('own'), await deviceOf('another')]
    const throwAway = async () => ({
      ...(await own.evidenceOf(order.id)),
      receipt: { text: receipt, salt: account.salt },
    })
    const file = exported({ ...sampleProof(), receipt })
    expect(await check(file, { ...own, evidenceOf: throwAway })).toBe('refuted')
    expect(await check(file, other)).toBe('another key')
  })

  it('is kept as signed only if a known key has signed it as it is, and else with what is wrong', async () => {
    const { order, receipt } = signedProof()
    expect(await signedReceipt(receipt, known)).toMatchObject({ text: receipt, receipt: receiptOf(order) })
    const strange = signedProof({}, stranger).receipt
    const changed = receipt.replace('amount 10.00', 'amount 11.00')
    expect(await signedReceipt(strange, known)).toMatchObject({
      isVerified: false,
      signed: { signed: 'other' },
    })
    expect(await signedReceipt(changed, known)).toMatchObject({
      isVerified: false,
      signed: { why: 'signature' },
    })
    expect(await signedReceipt('no receipt', known)).toBeNull()
    expect(await signedReceipt(receipt, [])).toBeNull()
  })

  it('is kept where signatures cannot be verified too if it names a known key, as one that nobody has checked', async () => {
    const { receipt } = signedProof()
    expect(await signedReceipt(receipt, known)).toMatchObject({ isVerified: true })
    expect(await signedReceipt(receipt, known, noEd25519)).toMatchObject({ text: receipt, isVerified: false })
  })

  it('says nothing where signatures cannot be verified', async () => {
    const { order, receipt } = signedProof()
    expect(await checkReceipt(receipt, order, { keys: known }, noEd25519)).toEqual({
      ok: true,
      signed: 'unverified',
    })
  })

  it('that this device kept counts more than the venue’s present one', async () => {
    const { order, receipt: kept } = signedProof()
    const changed = { ...order, amount: '99.00' }
    const now = signed(receiptOf(changed))
    expect(await checkReceipt(now, changed, { kept, keys: known })).toEqual({
      ok: false,
      why: 'differs',
      differs: ['amount'],
    })
    const another = signed({ ...receiptOf(order), head: { seq: 1, hash: 'a'.repeat(64) } })
    expect(await checkReceipt(another, order, { kept, keys: known })).toEqual({ ok: false, why: 'other' })
  })

  it('that the venue signed again, with another batch, is the one that this device kept', async () => {
    const { order, receipt: kept } = signedProof()
    const [again] = signer.signReceipts(origin, [receiptOf(order)])
    expect(again).not.toBe(kept)
    const evidence = { kept, keys: known }
    expect(await checkReceipt(again, order, evidence)).toMatchObject({ signed: 'venue' })
    const file = exported({ ...sampleProof(), receipt: again! })
    expect(await check(file, await deviceOf('own'))).toBe('as you placed it')
    // What this device kept does not stand for a false signature.
    const [other] = signer.signReceipts(origin, [{ ...receiptOf(order), no: '2' }])
    const mixed = again!.slice(0, again!.indexOf('\n\n')) + other!.slice(other!.indexOf('\n\n'))
    expect(await checkReceipt(mixed, order, evidence)).toEqual({ ok: false, why: 'signature' })
    expect(await check({ ...file, receipt: mixed }, await deviceOf('own'))).toBe('refuted')
    const [byStranger] = stranger.signReceipts(origin, [receiptOf(order)])
    expect(await checkReceipt(byStranger, order, evidence)).toEqual({ ok: false, why: 'other' })
    expect(await check({ ...file, receipt: byStranger }, await deviceOf('own'))).toBe('refuted')
  })
})

describe('a file on the page #/check', () => {
  it('is the member’s order as placed on the device that placed it, and signed by the venue on any other', async () => {
    const file = exported(signedProof())
    expect(await check(file, await deviceOf('own'))).toBe('as you placed it')
    expect(await check(file, await deviceOf('another'))).toBe('signed by this venue')
    const { receipt: _receipt, ...old } = file
    for (const unsigned of [old, { ...file, receipt: null }]) {
      expect(await check(unsigned, await deviceOf('own'))).toBe('as you placed it')
      expect(await check(unsigned, await deviceOf('another'))).toBe('not signed')
    }
  })

  it('is compared with the receipt that this device kept, also if it has none or another one', async () => {
    const changed = exported(sampleProof({ amount: '99.00' }))
    const { receipt } = signedProof({ amount: '99.00' })
    for (const file of [changed, { ...changed, receipt }]) {
      const found = await checkProofFile(new Blob([JSON.stringify(file)]), await deviceOf('own'))
      expect(found).toMatchObject({
        isOwn: false,
        report: { receipt: { ok: false, why: 'differs', differs: ['amount'] } },
      })
    }
    const another = signedProof({}, stranger).receipt
    const file = { ...exported(signedProof()), receipt: another }
    expect(await checkProofFile(new Blob([JSON.stringify(file)]), await deviceOf('own'))).toMatchObject({
      isOwn: false,
      report: { receipt: { ok: false, why: 'other' } },
    })
  })

  it('is compared with what this device kept, and not with what the file says was agreed', async () => {
    const proof = signedProof()
    const device = await deviceOf('own')
    const kept = {
      ...(await device.evidenceOf(proof.order.id)),
      agreed: { ...agreedOf(proof), amount: '10.50' },
    }
    const own = { ...device, evidenceOf: async () => kept }
    expect(await checkProofFile(new Blob([JSON.stringify(exported(proof))]), own)).toMatchObject({
      isKept: true,
      isOwn: false,
      report: { agreed: { ok: false, differs: ['amount'] } },
    })
  })

  it('is refused before anything is computed if it is larger than 16 MB, or its path longer than 64 hashes', async () => {
    const device = await deviceOf('another')
    const spaces = new Blob([JSON.stringify(exported(signedProof())), ' '.repeat(16_000_000)])
    expect(await checkProofFile(spaces, device)).toEqual({ ok: false, why: 'large' })
    const log = { ...logOf(), path: Array(65).fill('AA==') as string[] }
    const file = exported(signedProof())
    expect(await checkProofFile(new Blob([JSON.stringify({ ...file, log })]), device)).toEqual({
      ok: false,
      why: 'path',
    })
  })
})

describe('a receipt of an order that lost, in a file whose prices make it win', () => {
  /** Prices that rise after the order was accepted, chained anew, with what the rule makes of them. */
  async function madeUp(): Promise<CompleteProof> {
    const { receipt, ...proof } = signedProof()
    const accepted = receiptOf(proof.order).head.seq
    const ticks = proof.ticks.map(([seq, at, price, size]): (typeof proof.ticks)[number] => [
      seq,
      at,
      seq <= accepted ? price : `${20 + seq}.00`,
      size,
    ])
    const chain = verifyChain('A', proof.before!, ticks)
    if (!chain.ok) throw new Error('the ticks do not chain')
    const settled = settle(
      proof.order.terms,
      { direction: 'up', amount: moneyOf(proof.order.amount), acceptedAt: 1_000_000, closeAt: 1_030_000 },
      ticks.map(([seq, at, price]) => ({ seq, at, price: priceUnits(Math.round(Number(price) * 100)) })),
      [],
      proof.sources,
    )
    const order: Order = {
      ...proof.order,
      status: settled.status,
      entry: settled.entry && fillOf(settled.entry, 2),
      exit: settled.exit && wireExitOf(settled.exit, 2),
      payout: formatMoney(settled.payout),
      pnl: formatMoney(settled.pnl),
    }
    expect(order.status).toBe('won')
    return { ...proof, order, ticks, after: chain.head, receipt, log: null }
  }

  it('shows who placed the order, and that nobody has signed the prices', async () => {
    const lie = proofFile({ proof: await madeUp(), heads: [], agreed: null, savedAt: 1 })
    expect(await verifyProof(lie, [], undefined, known)).toMatchObject({
      kind: 'holds',
      signed: { by: 'venue' },
      prices: 'file',
    })
    const made = await madeUp()
    const stated = [made.before!, made.after!].map((head) => ({ ...head, statedBy: 'venue' as const }))
    expect(await verifyProof(lie, stated, undefined, known)).toMatchObject({ prices: 'venue' })
    // The venue has other heads.
    const now = [headAt(made.after!.seq)].map((head) => ({ ...head, statedBy: 'venue' as const }))
    expect(await verifyProof(lie, now, undefined, known)).toMatchObject({ kind: 'refuted', step: 'chain' })
  })

  it('has prices of the venue only if they are in its log', async () => {
    const file = exported(signedProof())
    expect(await verifyProof(file, [], logKeys, known)).toMatchObject({ prices: 'log' })
    expect(await verifyProof(file, [], undefined, known)).toMatchObject({ prices: 'file' })
  })
})

/** Values in a file, by the names and numbers that lead to them. */
type Path = readonly (string | number)[]
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
}
type Json = string | number | boolean | null
const valueAt = (file: unknown, path: Path): Json =>
  path.reduce<unknown>((value, name) => (value as Record<string | number, unknown>)[name], file) as Json
function changedAt(file: Record<string, unknown>, path: Path, value: unknown): Record<string, unknown> {
  const copy = structuredClone(file)
  const parent = valueAt(copy, path.slice(0, -1)) as unknown as Record<string | number, unknown>
  parent[path.at(-1)!] = value
  return copy
}

/** Fields that are for readers: no step names them, so that they say nothing about the order. `log.test.ts` changes checkpoints. */
const forReaders = new Set([
  'order.id',
  'order.key',
  'order.version',
  'order.settledAt',
  'savedAt',
  'final',
  'chain',
  'rule',
  'sources',
  'watermarkAt',
  'heads',
  'log.checkpoint',
])
const isForReaders = (path: Path): boolean =>
  forReaders.has(String(path[0])) || forReaders.has(path.slice(0, 2).join('.'))

/** The nth other value of a field, of the same kind. */
function another(value: string | number | boolean | null, n: number): unknown {
  if (typeof value === 'number') return value + 1 + n * 7
  if (typeof value === 'boolean') return !value
  if (value === null) return n % 2 === 0 ? '1.00' : 1
  if (value === 'up' || value === 'down') return value === 'up' ? 'down' : 'up'
  const at = (n * 31) % value.length
  const next = String.fromCharCode(value.charCodeAt(at) === 57 ? 48 : value.charCodeAt(at) + 1)
  return value.slice(0, at) + next + value.slice(at + 1)
}

describe('1,000 files with a changed field', () => {
  it('are refuted, whoever checks them: none is called signed, or as placed', async () => {
    const file = exported(signedProof())
    const devices = [await deviceOf('own'), await deviceOf('another')]
    const paths = leaves(file).filter((path) => !isForReaders(path))
    const counts: Partial<Record<Said, number>> = {}
    for (let n = 0; n < 1000; n++) {
      const path = paths[n % paths.length]!
      const changed = changedAt(file, path, another(valueAt(file, path), Math.floor(n / paths.length)))
      // The device that placed the order needs no word of the file about what was agreed.
      const isKnownBetter = path[0] === 'agreed' && n % 2 === 0
      const answer = await check(changed, devices[n % 2]!)
      if (!isKnownBetter) counts[answer] = (counts[answer] ?? 0) + 1
      // A receipt whose line of the signature names another key is of that key.
      const allowed = [
        'refuted',
        'no proof',
        ...(path[0] === 'receipt' ? ['another key'] : []),
        ...(isKnownBetter ? ['as you placed it'] : []),
      ]
      expect(allowed, `${path.join('.')}: ${answer}`).toContain(answer)
    }
    expect(counts['as you placed it']).toBeUndefined()
    expect(counts['signed by this venue']).toBeUndefined()
    expect(counts.refuted).toBeGreaterThan(500)
  }, 120_000)

  /** What a boaster would change, in all places of the file, so that it stays consistent. */
  const lies: Partial<Order>[] = Array.from({ length: 50 }, (_, n) => [
    { amount: `${11 + n}.00` },
    { direction: 'down' as const, amount: `${n + 1}.${String(n).padStart(2, '0').slice(-2)}` },
    { rateBp: 8501 + n, terms: { ...sampleProof().order.terms, rateBp: 8501 + n } },
    { no: `UT-${n}` },
    { acceptedAt: epochMs(1_000_001 + n), closeAt: epochMs(1_030_001 + n) },
    { terms: { ...sampleProof().order.terms, maxTickGapMs: 15_001 + n } },
  ]).flat()

  it('and as many that agree with themselves are refuted by the device that placed the order, and elsewhere refuted, unsigned or signed by another key', async () => {
    const { receipt } = signedProof()
    const [own, another] = [await deviceOf('own'), await deviceOf('another')]
    const expected: [receipt: (lie: Partial<Order>) => string | null, Said][] = [
      [() => receipt, 'refuted'],
      [() => null, 'not signed'],
      [(lie) => signedProof(lie, stranger).receipt, 'another key'],
    ]
    for (const [n, lie] of lies.entries()) {
      const [receiptFor, answer] = expected[n % 3]!
      const proof = { ...sampleProof(lie), receipt: receiptFor(lie) }
      const file = exported(proof)
      expect([await check(file, own), await check(file, another)], JSON.stringify(lie)).toEqual([
        'refuted',
        answer,
      ])
    }
  }, 120_000)
})
