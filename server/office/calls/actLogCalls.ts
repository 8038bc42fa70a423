import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteRequest } from '../../../contract/route.ts'
import type { ActDetails, ActLog, ActLogEntry, ActLogFilters } from '../../notices/index.ts'
import { type BusinessClock, movementsCsv } from '../../money/index.ts'
import { csvType } from '../../platform/csv.ts'
import { asOffice } from '../../platform/db/roles/roleContext.ts'
import type { Downloads } from '../../platform/http/downloads.ts'
import type { OfficeCall, OfficeContext } from './officeCall.ts'
import { withNames } from './actLogNames.ts'
import type { IdResolver } from './idResolver.ts'
import { createListLooks, type ListLooksParts } from './listLooks.ts'

const { actions, movements } = officeRoutes.accounting
type Query = Omit<RouteRequest<typeof officeRoutes.audit.list>['query'], 'cursor' | 'limit' | 'from' | 'to'> &
  Pick<ActLogFilters, 'from' | 'to'>

export type ActLogCallsParts = ListLooksParts & {
  actLog: ActLog
  business: Pick<BusinessClock, 'startOf' | 'addDays'>
  downloads: Downloads
  idResolver: Pick<IdResolver, 'memberOrInput' | 'subjects'>
}

/** The actions and views of the staff, and the files of a business day for accounting. */
export function mountActLog(call: OfficeCall, parts: ActLogCallsParts): void {
  const { db, actLog, business, downloads, idResolver } = parts
  /** Null if no row can be meant. */
  const filtersOf = async ({ actor, kind, id, member, ...others }: Query): Promise<ActLogFilters | null> => {
    const about = id === undefined ? {} : await idResolver.subjects(id)
    const memberId = member === undefined ? undefined : await idResolver.memberOrInput(member)
    // Two members at once have no row in common.
    if (memberId !== undefined && 'memberId' in about && about.memberId !== memberId) return null
    const whose = { ...(memberId !== undefined && { memberId }), ...about }
    return { ...others, actorPart: actor, subjectKind: kind, ...whose }
  }
  /** Rows name members, and say what each of them asked for. */
  const recordList = createListLooks(parts, 'audit')
  call(officeRoutes.audit.list, async ({ query: { cursor, limit, ...query }, actor }) => {
    const filters = await filtersOf(query)
    if (filters === null) return { items: [], nextCursor: null, sums: [] }
    const page = await actLog.list({ cursor, limit }, filters)
    const sums = cursor === undefined ? { sums: await actLog.sums(filters) } : {}
    await recordList(actor)
    return { ...page, items: await withNames(db, page.items), ...sums }
  })
  type Range = { from: number; to: number }
  const exportDay = async (
    what: 'actions' | 'movements',
    { query: { day }, actor, reply }: Pick<OfficeContext<typeof movements>, 'query' | 'actor' | 'reply'>,
    piecesOf: (range: Range) => AsyncIterable<string>,
    filters: ActDetails = {},
  ) => {
    const range = { from: business.startOf(day), to: business.startOf(business.addDays(day, 1)) }
    const file = { name: `${what}-${day}.csv`, type: csvType, pieces: piecesOf(range) }
    const stream = downloads.stream({ caller: `staff ${actor}`, reply }, file)
    // Written first: no export without a row of the act log.
    const subject = { kind: 'accounting', id: day }
    await actLog.write(db, { actor, act: 'export', subject, details: { what, ...filters } })
    return stream
  }
  call(actions, async (context) => {
    const { day: _day, ...query } = context.query
    const filters = await filtersOf(query)
    // The file is read after the handler has returned.
    const names = (rows: readonly ActLogEntry[]) => asOffice(() => withNames(db, rows))
    const piecesOf = (range: Range) => actLog.csv(filters === null ? null : { ...filters, ...range }, names)
    const isFiltered = Object.values(query).some((value) => value !== undefined)
    return exportDay('actions', context, piecesOf, isFiltered ? { filtered: true } : {})
  })
  call(movements, (context) => exportDay('movements', context, (range) => movementsCsv(db, range)))
}
