import { deposit, depositRoutes, type Deposit } from '../../../contract/deposits.ts'
import { ledgerRoutes, type LedgerEntry, type LedgerFilters } from '../../../contract/ledger.ts'
import { withdrawalRoutes, withdrawal, type Withdrawal } from '../../../contract/withdrawals.ts'
import { isNewerVersion } from '../../../contract/version.ts'
import type { ListSource } from '../../hooks/useList.ts'

const limit = '30'

const newestFirst = (a: Deposit | Withdrawal, b: Deposit | Withdrawal): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

export const depositSource: ListSource<Deposit> = {
  load: (call, after, signal) => call(depositRoutes.deposits, { query: { limit, ...after } }, { signal }),
  event$: ({ event$ }) => event$('deposit', deposit),
  compare: newestFirst,
  isNewer: isNewerVersion,
}

export const withdrawalSource: ListSource<Withdrawal> = {
  load: (call, after, signal) =>
    call(withdrawalRoutes.withdrawals, { query: { limit, ...after } }, { signal }),
  event$: ({ event$ }) => event$('withdrawal', withdrawal),
  compare: newestFirst,
  isNewer: isNewerVersion,
}

/** Filters as query parameters: everything is text. */
export function ledgerQueryOf({ type, from, to }: LedgerFilters) {
  return {
    ...(type === undefined ? {} : { type }),
    ...(from === undefined ? {} : { from: String(from) }),
    ...(to === undefined ? {} : { to: String(to) }),
  }
}

/** The capital record under filters. Entries never change; their ids increase. */
export const ledgerSource = (filters: LedgerFilters) =>
  ({
    load: (call, after, signal) =>
      call(ledgerRoutes.ledger, { query: { limit, ...after, ...ledgerQueryOf(filters) } }, { signal }),
    event$: ({ ledger$ }) => ledger$,
    belongs: ({ type, at }) =>
      (filters.type === undefined || type === filters.type) &&
      (filters.from === undefined || at >= filters.from) &&
      (filters.to === undefined || at <= filters.to),
    compare: (a, b) => Number(b.id) - Number(a.id),
  }) satisfies ListSource<LedgerEntry>
