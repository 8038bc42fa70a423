import type { LedgerEntry } from '../../../contract/ledger.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'

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
