import type { Head } from '../../contract/chain.ts'
import type { Order } from '../../contract/orders.ts'
import { accountTag, fieldsNotSigned, type SignedField } from '../../contract/receipt.ts'
import {
  isInBatch,
  isSameReceipt,
  parseSignedReceipt,
  signingKeyOf,
  type SignedReceipt,
} from '../../contract/signedReceipt.ts'
import {
  keyNamed,
  parseVerifierKey,
  verifyEd25519,
  verifyNote,
  type VerifyEd25519,
} from '../../contract/tlog/note.ts'

/**
 * A key that the venue signs with, as text, and where it is known from: this device verified the public log with it before,
 * the venue states it now, or the checker has given it.
 */
export type KnownKey = { key: string; from: 'device' | 'venue' | 'given' }

/** Who a receipt must be of: the member, and the salt that came with the order. */
export type ReceiptAccount = { memberId: string; salt: string }

/** What the receipt of an order shows. */
export type ReceiptCheck =
  /** Signed by the venue, so that neither side can deny or change the order. */
  | { ok: true; signed: 'venue'; key: string; from: KnownKey['from'] }
  /** Signed by a key other than the venue's known key. The signer is unknown. */
  | { ok: true; signed: 'other'; keys: string[] }
  /** No key of the venue is stored here, so the signer cannot be identified. */
  | { ok: true; signed: 'unknown'; keys: string[] }
  /** This platform cannot verify signatures. */
  | { ok: true; signed: 'unverified' }
  /** There is no receipt: the file only shows that it is consistent. */
  | { ok: true; signed: 'none' }
  | { ok: false; why: 'format' | 'signature' | 'account' }
  /** This device has it from the venue, but a key that is not the venue's has signed it. */
  | { ok: false; why: 'key'; keys: string[] }
  /** The order is not the signed one. */
  | { ok: false; why: 'differs'; differs: SignedField[] }
  /** The venue gives another receipt than this device kept. */
  | { ok: false; why: 'other' }

export const isSignedByVenue = (check: ReceiptCheck): boolean => check.ok && check.signed === 'venue'

/** What a receipt is compared with. */
export type ReceiptEvidence = {
  /** The one that this device has from the venue: with the order, or else now. */
  kept?: string | null | undefined
  keys: readonly KnownKey[]
  account?: ReceiptAccount | undefined
}

/** The head of the product's chain that a receipt states. */
export const headOfReceipt = (text: string | null | undefined): Head | null =>
  typeof text === 'string' ? (parseSignedReceipt(text)?.receipt.head ?? null) : null

/** Whether the receipt of an order is signed by the venue, and states this order. */
export async function checkReceipt(
  given: string | null | undefined,
  order: Pick<Order, SignedField>,
  { kept, keys, account }: ReceiptEvidence,
  verify: VerifyEd25519 = verifyEd25519,
): Promise<ReceiptCheck> {
  const text = kept ?? given ?? null
  if (text === null) return { ok: true, signed: 'none' }
  const read = parseSignedReceipt(text)
  if (read === null) return { ok: false, why: 'format' }
  const signed = await signerOf(read, keys, verify)
  if (!signed.ok) return signed
  if (typeof kept === 'string' && signed.signed === 'other')
    return { ok: false, why: 'key', keys: signed.keys }
  const differs = fieldsNotSigned(read.receipt, order)
  if (differs.length > 0) return { ok: false, why: 'differs', differs }
  if (account && accountTag(account.salt, account.memberId) !== read.receipt.account)
    return { ok: false, why: 'account' }
  if (typeof given !== 'string' || given === text) return signed
  const other = parseSignedReceipt(given)
  // Signed again it states the same, maybe with another batch.
  return other && isSameReceipt(other, read) ? signerOf(other, keys, verify) : { ok: false, why: 'other' }
}

/** By which of the known keys a receipt is signed. The venue's key signs under each name that its log has had. */
export async function signerOf(
  signed: SignedReceipt,
  keys: readonly KnownKey[],
  verify: VerifyEd25519 = verifyEd25519,
): Promise<ReceiptCheck> {
  const { note, receipt } = signed
  if (!isInBatch(signed)) return { ok: false, why: 'signature' }
  for (const { key: text, from } of keys) {
    const known = parseVerifierKey(text)
    if (known === null) continue
    try {
      const isSigned = await verifyNote(note, keyNamed(known, receipt.origin), verify)
      if (isSigned === true) return { ok: true, signed: 'venue', key: text, from }
      if (isSigned === false) return { ok: false, why: 'signature' }
    } catch {
      return { ok: true, signed: 'unverified' }
    }
  }
  return { ok: true, signed: keys.length > 0 ? 'other' : 'unknown', keys: [signingKeyOf(signed)] }
}
