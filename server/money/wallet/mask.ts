import { epochMs } from '../../../contract/units.ts'
import type { AccountDetails, WithdrawalAccount } from '../../../contract/withdrawals.ts'

/** How many characters stay readable at each end; at most a quarter of the text. */
const endMax = 4

/** `6222021234567890` → `6222****7890`: enough to tell two accounts apart, too little to use one. */
export function maskEnds(text: string): string {
  const characters = Array.from(text.replaceAll(' ', ''))
  const end = Math.min(endMax, Math.floor(characters.length / 4))
  return `${characters.slice(0, end).join('')}****${characters.slice(characters.length - end).join('')}`
}

/** A bound account as the member sees it. */
export function maskedAccount(id: string, details: AccountDetails, boundAt: number): WithdrawalAccount {
  const { accountName, nationality } = details
  const base = { id, accountName, nationality, boundAt: epochMs(boundAt) }
  return details.type === 'bank'
    ? {
        ...base,
        type: 'bank',
        bank: details.bank,
        cardNumber: maskEnds(details.cardNumber),
        accountAddress: maskEnds(details.accountAddress),
      }
    : {
        ...base,
        type: 'crypto',
        currency: details.currency,
        currencyAddress: maskEnds(details.currencyAddress),
        ...(details.memo !== undefined && { memo: maskEnds(details.memo) }),
      }
}
