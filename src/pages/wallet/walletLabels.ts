import type { TFunction } from 'i18next'
import type { DepositMethod } from '../../../contract/deposits.ts'
import type { LedgerEntry } from '../../../contract/ledger.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { Format } from '../../format.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import type { BadgeKind } from '../../ui/index.ts'

export const statusBadge: Record<ReviewStatus, BadgeKind> = {
  under_review: 'warn',
  successful: 'success',
  failed: 'danger',
}

/** `6222****7890` as `6222 •••• 7890`, without a line break. */
export const maskText = (masked: string): string => masked.replace(/\s*\*+\s*/, '\u00a0••••\u00a0').trim()

/** An account's title: its bank or its currency. */
export const accountTitle = (account: WithdrawalAccount): string => account.bank ?? account.currency ?? ''

/** An account's masked number. */
export const accountNumber = ({ cardNumber, currencyAddress }: WithdrawalAccount): string =>
  maskText(cardNumber ?? currencyAddress ?? '')

/** The last characters of an account's number, for a list. */
export const accountTail = (account: WithdrawalAccount): string =>
  accountNumber(account).replace(/^.*(?=••••)/, '')

/** The name of a deposit method: its kind, with its currency for real money. */
export function methodName(
  t: TFunction,
  { kind, reviewed, currency }: Pick<DepositMethod, 'kind' | 'reviewed' | 'currency'>,
): string {
  if (kind === 'practice') return t(reviewed ? 'deposit.kind.practiceReview' : 'deposit.kind.practice')
  return `${t(`deposit.kind.${kind}`)} · ${currency}`
}

/** The venue's reason of a withdrawal that its member cancelled. */
export const cancelledReason = 'CANCELLED'

/**
 * The amount of a ledger entry and the text below it: the balance after it, or where the money went if the available
 * balance is the same as before. A balance beside an amount that did not change it would look like a mistake.
 */
export function ledgerRow(
  t: TFunction,
  format: Pick<Format, 'money'>,
  { type, amount, balanceAfter, held }: Pick<LedgerEntry, 'type' | 'amount' | 'balanceAfter' | 'held'>,
): { amount: string; below: string } {
  const signed = (value: string) => format.money(value, 'always')
  if (type === 'fund_earning') return { amount: signed(amount), below: t('records.toFund') }
  if (type === 'withdrawal_paid') return { amount: signed(held), below: t('records.fromHold') }
  // A standard transfer from the fund: it is on hold until its day.
  if (type === 'fund_out' && moneyOf(held) > 0) {
    return { amount: signed(held), below: t('fund.status.under_review') }
  }
  return { amount: signed(amount), below: t('records.balance', { balance: format.money(balanceAfter) }) }
}

/** The page of a ledger entry's cause; undefined if it has no page. */
export function refHref(ref: LedgerEntry['ref']): string | undefined {
  switch (ref.kind) {
    case 'order':
      return hrefTo(paths.order, { id: ref.id })
    case 'deposit':
      return hrefTo(paths.deposits, { id: ref.id })
    case 'withdrawal':
      return hrefTo(paths.withdrawals, { id: ref.id })
    case 'fund_deposit':
    case 'fund_withdrawal':
    case 'fund_earning':
      return hrefTo(paths.fundDetails)
    default:
      return undefined
  }
}
