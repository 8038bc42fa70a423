import type { Receipt } from '../../contract/receipt.ts'
import { parseSignedReceipt } from '../../contract/signedReceipt.ts'
import type { VerifyEd25519 } from '../../contract/tlog/note.ts'
import { evidence } from '../state/memberStores.ts'
import { isSignedByVenue, signerOf, type KnownKey, type ReceiptCheck } from './receipt.ts'
import { receiptKeys } from './venueLogKeys.ts'

/**
 * A receipt that the venue sent. `isVerified`: a known key of the venue has signed it; false: this browser cannot
 * confirm a signature, so nothing may be stated about signing. `signed`: by whom.
 */
export type KeptReceipt = { text: string; receipt: Receipt; signed: ReceiptCheck; isVerified: boolean }

/** Reads a receipt; null if it cannot be read, or no key of the venue is known, so nothing can be stated about it. */
export async function signedReceipt(
  text: string,
  keys: readonly KnownKey[],
  verify?: VerifyEd25519,
): Promise<KeptReceipt | null> {
  const read = parseSignedReceipt(text)
  if (!read) return null
  const signed = await signerOf(read, keys, verify)
  if (signed.ok && signed.signed === 'unknown') return null
  return { text, receipt: read.receipt, signed, isVerified: isSignedByVenue(signed) }
}

/** The receipt of an order that this device keeps. */
export async function keptReceipt(orderId: string): Promise<KeptReceipt | null> {
  const { receipt } = await evidence.get(orderId)
  return receipt ? signedReceipt(receipt.text, receiptKeys()) : null
}

/** Whether this device keeps a receipt, be it one that cannot be read; false while no key of the venue is known. */
export async function isReceiptKept(orderId: string): Promise<boolean> {
  const { receipt } = await evidence.get(orderId)
  return Boolean(receipt) && receiptKeys().length > 0
}
