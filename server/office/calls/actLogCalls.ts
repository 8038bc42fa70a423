import { officeRoutes } from '../../../contract/office/routes.ts'
import type { ActLog } from '../../notices/index.ts'
import { type BusinessClock, movementsCsv } from '../../money/index.ts'
import { csvType } from '../../platform/csv.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Downloads } from '../../platform/http/downloads.ts'
import type { OfficeCall } from './officeCall.ts'
import { withNames } from './actLogNames.ts'
import type { IdResolver } from './idResolver.ts'

export type ActLogCallsParts = {
  db: Db
  actLog: ActLog
  business: Pick<BusinessClock, 'startOf' | 'addDays'>
  downloads: Downloads
  idResolver: Pick<IdResolver, 'memberOrInput' | 'subjects'>
}

/** The actions and views of the staff, and the files of a business day for accounting. */
export function mountActLog(call: OfficeCall, parts: ActLogCallsParts): void {
  const { db, actLog, business, downloads, idResolver } = parts
  call(officeRoutes.audit.list, async ({ query: { kind, id, member, cursor, limit, ...filters } }) => {
    const about = id === undefined ? {} : await idResolver.subjects(id)
    const memberId = member === undefined ? undefined : await idResolver.memberOrInput(member)
    const whose = { ...(memberId !== undefined && { memberId }), ...about }
    // Two members at once have no row in common.
    const isNobody = memberId !== undefined && 'memberId' in about && about.memberId !== memberId
    const page = isNobody
      ? { items: [], nextCursor: null }
      : await actLog.list({ cursor, limit }, { ...filters, subjectKind: kind, ...whose })
    return { ...page, items: await withNames(db, page.items) }
  })
  type Range = { from: number; to: number }
  const mountFile = (what: 'actions' | 'movements', piecesOf: (range: Range) => AsyncIterable<string>) =>
    call(officeRoutes.accounting[what], async ({ query: { day }, actor, reply }) => {
      const range = { from: business.startOf(day), to: business.startOf(business.addDays(day, 1)) }
      const file = { name: `${what}-${day}.csv`, type: csvType, pieces: piecesOf(range) }
      const stream = downloads.stream({ caller: `staff ${actor}`, reply }, file)
      // Written first: no export without a row of the act log.
      await actLog.write(db, {
        actor,
        act: 'export',
        subject: { kind: 'accounting', id: day },
        details: { what },
      })
      return stream
    })
  mountFile('actions', (range) => actLog.csv(range))
  mountFile('movements', (range) => movementsCsv(db, range))
}
