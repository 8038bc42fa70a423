import * as z from 'zod/mini'
import type { LedgerEntry, LedgerFilters } from '../../../contract/ledger.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { deposit, depositRoutes } from '../../../contract/deposits.ts'
import { ledgerEntry, ledgerRoutes } from '../../../contract/ledger.ts'
import { withdrawalRoutes, withdrawal } from '../../../contract/withdrawals.ts'
import { call } from '../../api/venue.ts'
import type { ListSource } from './useList.ts'

/** Returns a reader that parses an event's payload by a schema; it returns undefined if the payload is invalid. */
export const payloadReader =
  <T>(schema: z.ZodMiniType<T>) =>
  (data: unknown): T | undefined => {
    const parsed = z.safeParse(schema, data)
    return parsed.success ? parsed.data : undefined
  }

type VersionedRecord = { id: string; createdAt: number; version: number }
const versionedRules = {
  belongs: () => true,
  compare: (a: VersionedRecord, b: VersionedRecord) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  isNewer: (known: VersionedRecord, next: VersionedRecord) => next.version > known.version,
}

export const depositSource: ListSource<Deposit> = {
  ...versionedRules,
  load: (query, signal) => call(depositRoutes.deposits, { query }, { signal }),
  event: 'deposit',
  read: payloadReader(deposit),
}

export const withdrawalSource: ListSource<Withdrawal> = {
  ...versionedRules,
  load: (query, signal) => call(withdrawalRoutes.withdrawals, { query }, { signal }),
  event: 'withdrawal',
  read: payloadReader(withdrawal),
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
export const ledgerSource = (filters: LedgerFilters): ListSource<LedgerEntry> => ({
  load: (query, signal) =>
    call(ledgerRoutes.ledger, { query: { ...query, ...ledgerQueryOf(filters) } }, { signal }),
  event: 'ledger',
  read: payloadReader(ledgerEntry),
  belongs: ({ type, at }) =>
    (filters.type === undefined || type === filters.type) &&
    (filters.from === undefined || at >= filters.from) &&
    (filters.to === undefined || at <= filters.to),
  compare: (a, b) => Number(b.id) - Number(a.id),
  isNewer: () => false,
})
