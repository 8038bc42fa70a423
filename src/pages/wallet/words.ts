import type { TFunction } from 'i18next'
import type { DepositMethod, ReviewStatus, WithdrawalAccount } from '../../../contract/wallet.ts'
import type { BadgeKind } from '../../ui/index.ts'

export const statusBadge: Record<ReviewStatus, BadgeKind> = {
  under_review: 'warn',
  successful: 'success',
  failed: 'danger',
}

/** `6222****7890` as `6222 •••• 7890`. */
export const maskText = (masked: string): string => masked.replace(/\s*\*+\s*/, ' •••• ').trim()

/** What an account is called in one line: its bank, or its currency. */
export const accountTitle = (account: WithdrawalAccount): string => account.bank ?? account.currency ?? ''

/** Which one it is and whose. */
export function accountCaption({ cardNumber, currencyAddress, accountName }: WithdrawalAccount): string {
  return `${maskText(cardNumber ?? currencyAddress ?? '')}, ${accountName}`
}

/** A way to deposit, by its kind, and its currency where the kind does not say it. */
export function methodName(
  t: TFunction,
  { kind, currency }: Pick<DepositMethod, 'kind' | 'currency'>,
): string {
  return kind === 'practice' ? t('deposit.kind.practice') : `${t(`deposit.kind.${kind}`)} · ${currency}`
}

/** The venue's reason of a withdrawal that its member took back. */
export const cancelledReason = 'CANCELLED'

/** Why something failed: what the venue names by code in words, and what customer service wrote as it is. */
export const reasonText = (t: TFunction, reason: string): string =>
  reason === cancelledReason ? t('withdraw.cancelledByYou') : reason
