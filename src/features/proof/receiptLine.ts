import type { TFunction } from 'i18next'
import { assertNever } from '../../../contract/units.ts'
import { isSignedByVenue, type ReceiptCheck } from '../../proof/receipt.ts'
import type { Format } from '../../text/format.ts'
import { fieldsText } from '../orders/orderLabels.ts'
import { markOf, type ProofLine } from './line.ts'

type Context = { t: TFunction; format: Format }

/** The line about the receipt. */
export const receiptLine = (check: ReceiptCheck, { t, format }: Context): ProofLine => ({
  name: 'receipt',
  mark: markOf({ ok: check.ok, held: isSignedByVenue(check) }),
  evidence: receiptText(check, { t, format }),
  more: [t('proof.receiptMore')],
})

/** What the receipt of an order shows, in words: above all who has signed it. */
export function receiptText(check: ReceiptCheck, { t, format }: Context): string {
  if (!check.ok) return refutedText(check, { t, format })
  switch (check.signed) {
    case 'venue':
      return t(check.from === 'device' ? 'proof.receiptDevice' : 'proof.receiptStated', {
        key: shortKey(check.key),
      })
    case 'other':
      return t('proof.receiptKey', { key: check.keys.join(', ') })
    case 'unknown':
      return t('proof.receiptUnknown', { key: check.keys.join(', ') })
    case 'unverified':
      return t('proof.receiptUnverified')
    case 'none':
      return t('proof.receiptNone')
    default:
      return assertNever(check)
  }
}

function refutedText(check: Extract<ReceiptCheck, { ok: false }>, { t, format }: Context): string {
  switch (check.why) {
    case 'differs':
      return t('proof.receiptDiffers', { fields: fieldsText(t, format, check.differs) })
    case 'key':
      return t('proof.receiptKey', { key: check.keys.join(', ') })
    case 'format':
      return t('proof.receiptFormat')
    case 'signature':
      return t('proof.receiptSignature')
    case 'account':
      return t('proof.receiptAccount')
    case 'other':
      return t('proof.receiptOther')
    default:
      return assertNever(check)
  }
}

/** A key's name and id, which says which one it is. */
const shortKey = (key: string): string => key.split('+', 2).join('+')
