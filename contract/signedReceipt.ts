import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseReceipt, type Receipt } from './receipt.ts'
import { fromBase64, toBase64 } from './tlog/base64.ts'
import { hashBytes, leafHash, verifyInclusion, type Tree, type TreeHash } from './tlog/merkle.ts'
import { formatNote, parseNote, type SignedNote } from './tlog/note.ts'

/** Receipts that are signed at once: how many, and the root of the Merkle tree of their texts. */
export type ReceiptBatch = Tree & {
  /** The name of the public log whose key signs it, as in each of its receipts. */
  origin: string
}

/** A receipt as the venue sends it. */
export type SignedReceipt = {
  /** What is signed: the same text whenever the venue signs this order. */
  text: string
  receipt: Receipt
  /** The number of its leaf in the batch's tree, and the hashes that lead from there to the root. */
  index: number
  path: readonly TreeHash[]
  batch: ReceiptBatch
  /** The text of the batch, with one signature. */
  note: SignedNote
}

/** The most receipts in one batch. */
export const receiptBatchMax = 4096

/** No name of a log, and no first line of a receipt: no checkpoint and no receipt is a batch, nor the reverse. */
const firstLine = 'uptick-orders/v1'

/** The text of a batch, which the log's key signs as a note. */
export const formatReceiptBatch = ({ origin, size, root }: ReceiptBatch): string =>
  `${firstLine}\n${origin}\n${size}\n${toBase64(root)}\n`

type ReceiptTexts = {
  text: string
  index: number
  /** Each hash in base64. */
  path: readonly string[]
  /** The signed note of the batch. */
  note: string
}

/** A receipt as the venue sends it: its text, its place in the batch and the batch's note, an empty line after each but the last. */
export const formatSignedReceipt = ({ text, index, path, note }: ReceiptTexts): string =>
  `${text}\n${[`index ${index}`, ...path].join('\n')}\n\n${note}`

/** Reads a receipt in its one spelling, of which no signature is verified; null if it is none. */
export function parseSignedReceipt(signed: string): SignedReceipt | null {
  const whole = parseNote(signed)
  const [body = '', place = '', batchText = '', ...more] = whole?.text.split('\n\n') ?? []
  if (whole === null || more.length > 0) return null
  const text = `${body}\n`
  const receipt = parseReceipt(text)
  const batch = parseBatch(batchText)
  const [top = '', ...hashes] = place.split('\n')
  const index = Number(top.slice('index '.length))
  const path = hashes.flatMap((hash) => fromBase64(hash) ?? [])
  const [signature, ...others] = whole.signatures
  if (receipt === null || batch === null || signature === undefined || others.length > 0) return null
  if (batch.origin !== receipt.origin || signature.name !== receipt.origin) return null
  if (!(index >= 0 && index < batch.size) || path.some(({ length }) => length !== hashBytes)) return null
  const note = { text: formatReceiptBatch(batch), signatures: [signature] }
  // What was read and is written the same again has no second spelling.
  const again = formatSignedReceipt({ text, index, path: path.map(toBase64), note: formatNote(note) })
  return again === signed ? { text, receipt, index, path, batch, note } : null
}

function parseBatch(text: string): ReceiptBatch | null {
  const [, origin = '', size = '', encoded = ''] = text.split('\n')
  const root = fromBase64(encoded)
  if (root?.length !== hashBytes || !(Number(size) <= receiptBatchMax)) return null
  return { origin, size: Number(size), root }
}

/** Whether the batch has the receipt: its path leads from its text to the signed root. */
export const isInBatch = ({ text, index, path, batch }: SignedReceipt): boolean =>
  verifyInclusion({ ...batch, index, leaf: leafHash(utf8ToBytes(text)) }, path)

/** Whether two receipts state the same, signed by one key. The batches that they were signed with may differ. */
export const isSameReceipt = (a: SignedReceipt, b: SignedReceipt): boolean =>
  a.text === b.text && signingKeyOf(a) === signingKeyOf(b)

/** The name and the id of the key that a receipt says it is signed by. */
export const signingKeyOf = ({ note }: SignedReceipt): string =>
  note.signatures.map(({ name, id }) => `${name}+${bytesToHex(id)}`).join()
