import { describe, expect, it } from 'vitest'
import { formatReceipt, type Receipt } from '../../contract/receipt.ts'
import {
  formatReceiptBatch,
  formatSignedReceipt,
  isInBatch,
  isSameReceipt,
  parseSignedReceipt,
  type SignedReceipt,
} from '../../contract/signedReceipt.ts'
import { toBase64 } from '../../contract/tlog/base64.ts'
import { parseCheckpoint } from '../../contract/tlog/checkpoint.ts'
import { inclusionProof, inclusionProofs, leafHash, rootOf } from '../../contract/tlog/merkle.ts'
import { formatNote, parseNote } from '../../contract/tlog/note.ts'
import { createSigner } from '../../server/market/publicLog/signer.ts'
import { checkReceipt } from '../../src/proof/receipt.ts'
import { logKeys, origin, signer } from '../support/sampleLog.ts'
import { receiptOf, signed } from '../support/sampleReceipt.ts'
import { sampleProof } from '../support/sampleProof.ts'

const { order } = sampleProof()
const receipt = receiptOf(order)
const keys = [{ key: logKeys.logKey, from: 'given' as const }]
const numbered = (size: number, no = 'order'): Receipt[] =>
  Array.from({ length: size }, (_, i) => ({ ...receipt, no: `${no}-${i}` }))
/** A receipt as text, with changes. */
const written = (read: SignedReceipt, change: Partial<SignedReceipt> = {}): string => {
  const { text, index, path, note } = { ...read, ...change }
  return formatSignedReceipt({ text, index, path: path.map(toBase64), note: formatNote(note) })
}
const check = (text: string) =>
  checkReceipt(text, { ...order, no: parseSignedReceipt(text)?.receipt.no ?? '' }, { keys })
const valid = { ok: true, signed: 'venue', key: logKeys.logKey, from: 'given' }

describe('a batch of receipts', () => {
  it('of every size from 1 to 40 has each of its receipts, at its place alone', async () => {
    for (let size = 1; size <= 40; size++) {
      const batch = signer.signReceipts(origin, numbered(size))
      for (const [index, text] of batch.entries()) {
        const read = parseSignedReceipt(text)!
        expect(read).toMatchObject({ index, receipt: { no: `order-${index}` }, batch: { origin, size } })
        expect(await check(text)).toEqual(valid)
        const elsewhere = written(read, { index: (index + 1) % size })
        if (size > 1) expect(isInBatch(parseSignedReceipt(elsewhere)!)).toBe(false)
      }
    }
  })

  it('does not have a receipt by the path of another batch', async () => {
    const read = (text: string) => parseSignedReceipt(text)!
    const [own, others] = [numbered(7), numbered(7, 'other')].map((receipts) =>
      signer.signReceipts(origin, receipts).map(read),
    )
    for (const [i, receiptOfOwn] of own!.entries()) {
      const { path, note } = others![i]!
      for (const change of [{ path }, { note }, { path, note }])
        expect(await check(written(receiptOfOwn, change))).toEqual({ ok: false, why: 'signature' })
    }
  })

  it('has the proofs of RFC 6962', async () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = Array.from({ length: size }, (_, i) => leafHash(Uint8Array.of(i)))
      const { root, paths } = inclusionProofs(leaves)
      expect(root).toEqual(rootOf(leaves))
      const read = async ({ height, index }: { height: number; index: number }) =>
        rootOf(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height))
      for (const [index, path] of paths.entries())
        expect(path).toEqual(await inclusionProof(index, size, read))
    }
  })

  it('is no checkpoint, and neither a checkpoint nor a receipt’s text is a batch', () => {
    const { batch, text } = parseSignedReceipt(signed(receipt))!
    expect(parseCheckpoint(formatReceiptBatch(batch))).toBeNull()
    const signatures = parseNote(signer.sign(batch))!.signatures
    for (const other of [signer.sign(batch), formatNote({ text, signatures })])
      expect(parseSignedReceipt(formatSignedReceipt({ text, index: 1, path: [], note: other }))).toBeNull()
  })
})

describe('a signed receipt', () => {
  const text = signed(receipt)
  const read = parseSignedReceipt(text)!
  const [statement, place, batch, line] = text.split('\n\n') as [string, string, string, string]

  it('is read as it was written, in this spelling alone', () => {
    expect(written(read)).toBe(text)
    expect(read.text).toBe(formatReceipt(receipt))
    const otherOrigin = batch.replace(origin, 'another.test/log/1')
    for (const other of [
      [statement, place, batch],
      [statement, batch, line],
      [statement, place, batch, line, line],
      [statement, '', place, batch, line],
      [statement, `${place}\n`, batch, line],
      [statement, place.replace('index 1', 'index 01'), batch, line],
      [statement, place.replace('index 1', 'index 3'), batch, line],
      [statement, place.replace('index 1', 'index -1'), batch, line],
      [statement, place.replace('index 1', 'index 1e0'), batch, line],
      [statement, place.replace('index 1', 'index NaN'), batch, line],
      [statement, place.replace('index ', 'path '), batch, line],
      [statement, `${place}=`, batch, line],
      [statement, `${place}\nAA==`, batch, line],
      [statement, place, `${batch}\nmore`, line],
      [statement, place, batch.replace('\n3\n', '\n03\n'), line],
      [statement, place, batch.replace('\n3\n', '\n4097\n'), line],
      [statement, place, batch.replace('\n3\n', '\nNaN\n'), line],
      [statement, place, batch.replace('/v1', '/v2'), line],
      [statement, place, otherOrigin, line],
      [statement, place, otherOrigin, line.replace(origin, 'another.test/log/1')],
      [statement, place, batch, line.replace(origin, 'another.test/log/1')],
      [statement, place, batch, `${line}${line}`],
      [statement.replace(origin, 'another.test/log/1'), place, batch, line],
      [statement, place, batch, line.trimEnd()],
      [`\uFEFF${statement}`, place, batch, line],
      [statement.replace('no 1', 'no \uD800'), place, batch, line],
    ].map((parts) => parts.join('\n\n')))
      expect(parseSignedReceipt(other), other).toBeNull()
  })

  it('is the same in whatever batch, and another one if it states anything else or another key signs it', () => {
    const alone = parseSignedReceipt(signer.signReceipts(origin, [receipt])[0]!)!
    expect([alone.index, alone.path, alone.batch.size]).toEqual([0, [], 1])
    expect(isSameReceipt(alone, read)).toBe(true)
    const seq = receipt.head.seq + 1
    const otherHead = parseSignedReceipt(signed({ ...receipt, head: { ...receipt.head, seq } }))!
    expect(isSameReceipt(otherHead, read)).toBe(false)
    const stranger = createSigner(new Uint8Array(32).fill(99))
    expect(isSameReceipt(parseSignedReceipt(signed(receipt, stranger))!, read)).toBe(false)
  })

  it('is refuted with any one byte changed, or signed by a key that is not known: 1,000 times', async () => {
    const texts = [1, 2, 3, 7].map((size) => signer.signReceipts(origin, numbered(size)).at(-1)!)
    const ofKeyId: string[] = []
    for (let n = 0; n < 1000; n++) {
      const whole = texts[n % texts.length]!
      const at = Math.floor((n * whole.length) / 1000)
      const code = whole.charCodeAt(at)
      // A line end, another digit or letter, or one bit: each kind of byte changes in its turn.
      const to = [code ^ 1, code === 10 ? 32 : 10, code + 1][n % 3]!
      const changed = whole.slice(0, at) + String.fromCharCode(to) + whole.slice(at + 1)
      const answer = await checkReceipt(
        changed,
        { ...order, no: `order-${(n % texts.length) + 1}` },
        { keys },
      )
      if (answer.ok) ofKeyId.push(changed)
      expect(answer.ok ? answer.signed : 'refuted', changed).not.toBe('venue')
    }
    // Only the key's id, in the first characters of the signature, makes it another key's.
    expect(ofKeyId.length).toBeLessThan(20)
    const keyless = (one: string) => one.replace(/ .{6}(?=\S*\n$)/, ' ')
    const originals = new Set(texts.map(keyless))
    for (const changed of ofKeyId) expect(originals).toContain(keyless(changed))
  })

  it('is refuted with any one field changed', async () => {
    const [first, second] = read.path
    for (const change of [
      { index: 0 },
      { index: 2 },
      { path: [] },
      { path: [first!] },
      { path: [second!, first!] },
      { path: [first!, second!, second!] },
      { note: { ...read.note, text: formatReceiptBatch({ ...read.batch, size: 4 }) } },
      { note: { ...read.note, text: formatReceiptBatch({ ...read.batch, root: first! }) } },
    ])
      expect(await check(written(read, change))).toEqual({ ok: false, why: 'signature' })
  })
})
