import type { TFunction } from 'i18next'
import type { DepositMethod } from '../../../contract/deposits.ts'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { BadgeKind } from '../../ui/index.ts'

export const statusBadge: Record<ReviewStatus, BadgeKind> = {
  under_review: 'warn',
  successful: 'success',
  failed: 'danger',
}

/** `6222****7890` as `6222 •••• 7890`, which stays on one line. */
export const maskText = (masked: string): string => masked.replace(/\s*\*+\s*/, '\u00a0••••\u00a0').trim()

/** What an account is called in one line: its bank, or its currency. */
export const accountTitle = (account: WithdrawalAccount): string => account.bank ?? account.currency ?? ''

/** Which one it is. */
export const accountNumber = ({ cardNumber, currencyAddress }: WithdrawalAccount): string =>
  maskText(cardNumber ?? currencyAddress ?? '')

/** Which one it is, as short as a list needs it: the end of its number. */
export const accountTail = (account: WithdrawalAccount): string =>
  accountNumber(account).replace(/^.*(?=••••)/, '')

/** A way to deposit, by its kind, and its currency where the kind does not say it. */
export function methodName(
  t: TFunction,
  { kind, currency }: Pick<DepositMethod, 'kind' | 'currency'>,
): string {
  return kind === 'practice' ? t('deposit.kind.practice') : `${t(`deposit.kind.${kind}`)} · ${currency}`
}

/** The venue's reason of a withdrawal that its member took back. */
export const cancelledReason = 'CANCELLED'
