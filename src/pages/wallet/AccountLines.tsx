import type { WithdrawalAccount } from '../../../contract/wallet.ts'
import { accountCaption, accountTitle } from './words.ts'

/** An account as a value beside its label: what it is called, and which one. */
export function AccountLines({ account }: { account: WithdrawalAccount }) {
  return (
    <>
      {accountTitle(account)}
      <br />
      {accountCaption(account)}
    </>
  )
}
