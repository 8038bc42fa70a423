import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { Audit } from '../audit/audit.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import { csvType } from '../csv.ts'
import type { Db } from '../db/database.ts'
import type { Downloads } from '../http/downloads.ts'
import { movementsCsv } from '../ledger/movements.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { IdResolver } from './idResolver.ts'

export type AuditCallsParts = {
  db: Db
  audit: Audit
  business: Pick<BusinessClock, 'startOf' | 'addDays'>
  downloads: Downloads
  idResolver: Pick<IdResolver, 'memberOrInput'>
}

/** What was done and who looked at whom, and the files of a business day for accounting. */
export function mountAudit(call: BackOfficeCall, parts: AuditCallsParts): void {
  const { db, audit, business, downloads, idResolver } = parts
  call(backOfficeRoutes.audit.list, async ({ query: { kind, id, member, cursor, limit, ...filters } }) => {
    const memberId = member === undefined ? undefined : await idResolver.memberOrInput(member)
    return audit.list({ cursor, limit }, { ...filters, subjectKind: kind, subjectId: id, memberId })
  })
  type Range = { from: number; to: number }
  const mountFile = (what: 'actions' | 'movements', piecesOf: (range: Range) => AsyncIterable<string>) =>
    call(backOfficeRoutes.accounting[what], async ({ query: { day }, actor, reply }) => {
      const range = { from: business.startOf(day), to: business.startOf(business.addDays(day, 1)) }
      const file = { name: `${what}-${day}.csv`, type: csvType, pieces: piecesOf(range) }
      const stream = downloads.stream({ caller: `staff ${actor}`, reply }, file)
      // Written first: no export without an audit row.
      await audit.write(db, {
        actor,
        act: 'export',
        subject: { kind: 'accounting', id: day },
        details: { what },
      })
      return stream
    })
  mountFile('actions', (range) => audit.csv(range))
  mountFile('movements', (range) => movementsCsv(db, range))
}
