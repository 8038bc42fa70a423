import type { TFunction } from 'i18next'
import type { DepositMethod } from '../../../contract/deposits.ts'
import type { LedgerEntry } from '../../../contract/ledger.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { Format } from '../../text/format.ts'
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

/** A card's or account's number in groups of four, as it is printed. */
export const inGroups = (number: string): string =>
  number.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$&\u00a0')

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

/** The words of a status. */
export const statusTextOf =
  (t: TFunction) =>
  ({ status }: { status: ReviewStatus }): string =>
    t(`wallet.status.${status}`)

/** The venue's reason of a withdrawal that its member cancelled. */
export const cancelledReason = 'CANCELLED'

/** What the row of a ledger entry shows: a payment and a standard transfer from the fund change what is on hold. */
const isOfHold = ({ type, held }: Pick<LedgerEntry, 'type' | 'held'>): boolean =>
  type === 'withdrawal_paid' || (type === 'fund_out' && moneyOf(held) > 0)

/** The amount that the row of a ledger entry shows. */
export const ledgerAmount = (entry: Pick<LedgerEntry, 'type' | 'amount' | 'held'>): number =>
  moneyOf(isOfHold(entry) ? entry.held : entry.amount)

/**
 * The amount of a ledger entry and the text below it: the balance after it, or where the money went if the available
 * balance is the same as before. A balance beside an amount that did not change it would look like a mistake.
 */
export function ledgerRow(
  t: TFunction,
  format: Pick<Format, 'money'>,
  entry: Pick<LedgerEntry, 'type' | 'amount' | 'balanceAfter' | 'held'>,
): { amount: string; below: string } {
  const { type, balanceAfter } = entry
  const amount = format.money(isOfHold(entry) ? entry.held : entry.amount, 'always')
  if (type === 'fund_earning') return { amount, below: t('records.toFund') }
  if (type === 'withdrawal_paid') return { amount, below: t('records.fromHold') }
  // A standard transfer from the fund: it is on hold until its day.
  if (isOfHold(entry)) return { amount, below: t('fund.status.under_review') }
  return { amount, below: t('records.balance', { balance: format.money(balanceAfter) }) }
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
