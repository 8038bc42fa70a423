import type { BindAccount, WithdrawalAccount } from '../../contract/wallet.ts'

/** So many characters stay readable at either end, of a long text; of a short one a quarter of it. */
const endMax = 4

/** `6222021234567890` → `6222****7890`: enough to tell two accounts apart, too little to use one. */
export function maskEnds(text: string): string {
  const characters = Array.from(text.replaceAll(' ', ''))
  const end = Math.min(endMax, Math.floor(characters.length / 4))
  return `${characters.slice(0, end).join('')}****${characters.slice(characters.length - end).join('')}`
}

/** What a member sees of a bound account. */
export function maskedAccount(id: string, details: BindAccount, boundAt: number): WithdrawalAccount {
  const { accountName, nationality } = details
  const base = { id, accountName, nationality, boundAt }
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
      }
}
