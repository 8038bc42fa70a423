import { and, asc, desc, eq, gt, gte, inArray, like, lt, ne, sql, type SQL } from 'drizzle-orm'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import { csv, isoTime, type Cell } from '../../platform/csv.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { audit, auditLink, type AuditRow } from '../schema.ts'
import { pagesByRow, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock } from '../../platform/ports.ts'
import {
  countLooks,
  createLookLimit,
  lockLooks,
  type LookLimit,
  type LookLimitParts,
  says,
} from './lookLimit.ts'

export type ActDetails = Record<string, string | number | boolean | null>
/** An action of the office. `details` has no personal data, because it is stored permanently. */
export type ActLogEvent = {
  /** Who did it: the name that the office user passed. */
  actor: string
  act: string
  subject: { kind: string; id: string }
  memberId?: string
  details?: ActDetails
}
export type ActLogEntry = {
  id: string
  at: number
  actor: string
  act: string
  subject: { kind: string; id: string }
  memberId: string | null
  details: Record<string, unknown>
}

export type Look = Omit<ActLogEvent, 'act' | 'memberId'> & {
  memberId: string
  /** A keyed hash of what is shown, in hex: the same shown again within {@link lookMs} has no row of its own. */
  hash?: string
}

/** For this long one row of the act log covers what an open page reads every few seconds. */
export const lookMs = 10 * minuteMs

/** The log of office actions. The database rejects changes to its rows and their removal. */
export type ActLog = {
  /** Runs in the transaction of the action, so that no action goes unrecorded. */
  write(tx: Db | DbTransaction, event: ActLogEvent): Promise<void>
  /**
   * Records that a member of staff views one member's data. Called before the data is read, so that no view goes
   * unrecorded. Throws `RECORDS_LIMIT`.
   */
  look(look: Look): Promise<void>
  /** Whether a person has looked at something when it showed what it does now. */
  hasSeen(seen: Seen): Promise<boolean>
  /** Whether a person has looked at a picture, which never changes. */
  hasSeenPicture(actor: string, uploadId: string): Promise<boolean>
  /** Before a list of members or of all their requests is answered: its row says how many are `shown`. Throws `RECORDS_LIMIT`. */
  lookAtList(list: Omit<ActLogEvent, 'act' | 'memberId'> & { shown: number }): Promise<void>
  /** Before a search is answered. Throws `RECORDS_LIMIT` if one person has searched very often in the last hour. */
  search(search: Omit<ActLogEvent, 'act'>): Promise<void>
  /** That a call was refused to a member of staff: a row an hour for each person, call and reason. */
  refused(actor: string, call: string, code: string): Promise<void>
  /** How many members' records each person opened in the last hour without a claim; who opened none is left out. */
  countLooks(): Promise<ReadonlyMap<string, number>>
  /** Newest first. */
  list(page: PageRequest, filters?: ActLogFilters): Promise<PagedList<ActLogEntry>>
  /** How many rows are whose and what, the most first. */
  sums(filters: ActLogFilters): Promise<{ actor: string; act: string; count: number }[]>
  /** The rows as CSV, oldest first, each with its place in the hash chain and the names of its ids; null: none. */
  csv(filters: ActLogFilters | null, names: NamesOf): AsyncGenerator<string>
}

/** Adds to rows how screens name what they are about. */
type NamesOf = (
  rows: readonly ActLogEntry[],
) => Promise<{ subject: { name: string | null }; account: string | null }[]>

/** Who did what, to what, to whom, and when: from ≤ at < to. */
export type ActLogFilters = {
  actor?: string | undefined
  /** A part of the name, in any case. */
  actorPart?: string | undefined
  act?: string | undefined
  subjectKind?: string | undefined
  subjectId?: string | undefined
  /** Any of these. */
  subjectIds?: readonly string[] | undefined
  memberId?: string | undefined
  /** Without those of who looked at whom. */
  views?: 'without' | undefined
  from?: number | undefined
  to?: number | undefined
}

/** More are not read in one line. */
const sumsMax = 30

/** How many rows of a file are read and written at a time. */
const filePageRows = 500

type ActLogParts = { db: Db; clock: Pick<Clock, 'now'> }

export function createActLog({ db, clock, ...parts }: ActLogParts & LookLimitParts): ActLog {
  const [write, limit] = [createActWriter({ clock }), createLookLimit(parts)]
  return {
    write,
    look: ({ hash, ...look }) => {
      const details = { ...look.details, ...(hash !== undefined && { hash }) }
      const isCovered = async (tx: DbTransaction): Promise<boolean> => {
        if (hash === undefined) return false
        await lockLooks(tx, look.actor)
        return hasSeen(tx, { ...look, hash }, gt(audit.at, clock.now() - lookMs))
      }
      return writeLimited(
        { ...look, act: 'view', details },
        (tx, now) => limit.assertMayLook(tx, { ...look, now }),
        isCovered,
      )
    },
    hasSeen: (seen) => hasSeen(db, seen),
    hasSeenPicture: async (actor, subjectId) => {
      const own = conditions({ actor, act: 'view', subjectKind: 'upload', subjectId })
      return (await db.$count(audit, and(...own))) > 0
    },
    refused: (actor, call, code) =>
      db.transaction(async (tx) => {
        await lockLooks(tx, actor)
        const subject = { kind: 'call', id: `${call} ${code}` }
        const filters = { actor, act: 'refused', subjectKind: subject.kind, subjectId: subject.id }
        const recent = conditions({ ...filters, from: clock.now() - hourMs })
        if ((await tx.$count(audit, and(...recent))) > 0) return
        await write(tx, { actor, act: 'refused', subject, details: { call, code } })
      }),
    search: (search) =>
      writeLimited({ ...search, act: 'search' }, (tx, now) => limit.assertMaySearch(tx, { ...search, now })),
    lookAtList: ({ shown, ...list }) =>
      writeLimited({ ...list, act: 'view', details: { ...list.details, shown } }, (tx, now) =>
        limit.assertMayList(tx, { ...list, shown, now }),
      ),
    countLooks: () => countLooks(db, clock.now()),
    list: (page, filters) => listEntries(db, page, filters),
    sums: (filters) => readSums(db, filters),
    csv: (filters, names) => csv(header, filePages(db, filters, names)),
  }

  async function writeLimited(
    event: ActLogEvent,
    assertMay: (tx: DbTransaction, now: number) => ReturnType<LookLimit['assertMayLook']>,
    isCovered: (tx: DbTransaction) => Promise<boolean> = async () => false,
  ): Promise<void> {
    const written = db.transaction(async (tx) => {
      if (await isCovered(tx)) return
      const more = await assertMay(tx, clock.now())
      await write(tx, { ...event, details: { ...event.details, ...more } })
    })
    await written.catch(async (error: unknown) => {
      if (error instanceof ApiError && error.code === 'RECORDS_LIMIT')
        await db.transaction((tx) => tellLimit(tx, event.actor))
      throw error
    })
  }

  /** A row for those who supervise, once an hour. */
  async function tellLimit(tx: DbTransaction, actor: string): Promise<void> {
    await lockLooks(tx, actor)
    const recent = { actor, act: 'look-limit', from: clock.now() - hourMs }
    if ((await tx.$count(audit, and(...conditions(recent)))) > 0) return
    const details = { max: limit.max }
    await write(tx, { actor, act: 'look-limit', subject: { kind: 'staff', id: actor }, details })
  }
}

async function listEntries(
  db: Db,
  page: PageRequest,
  filters: ActLogFilters = {},
): Promise<PagedList<ActLogEntry>> {
  const after = readCursor(page.cursor)
  const rows = await db
    .select()
    .from(audit)
    .where(and(...conditions(filters), after ? lt(audit.id, after[0]) : undefined))
    .orderBy(desc(audit.id))
    .limit(page.limit + 1)
  return toPagedList(rows, page.limit, toActLogEntry, ({ id }) => [id, ''])
}

type Seen = Pick<ActLogEvent, 'actor' | 'subject'> & { hash: string }

async function hasSeen(on: Db | DbTransaction, { actor, subject, hash }: Seen, when?: SQL): Promise<boolean> {
  const own = conditions({ actor, act: 'view', subjectKind: subject.kind, subjectId: subject.id })
  return (await on.$count(audit, and(...own, like(audit.details, says({ hash })), when))) > 0
}

/** For what has no venue around it: only writes. */
export function createActWriter({ clock }: Pick<ActLogParts, 'clock'>): ActLog['write'] {
  return async (tx, { actor, act, subject, memberId, details = {} }) => {
    await tx.insert(audit).values({
      at: clock.now(),
      actor,
      act,
      subjectKind: subject.kind,
      subjectId: subject.id,
      memberId: memberId ?? null,
      details: JSON.stringify(details),
    })
  }
}

function conditions(filters: ActLogFilters): SQL[] {
  const { actor, actorPart, act, subjectKind, subjectId, subjectIds, memberId, views, from, to } = filters
  return [
    ...(actor === undefined ? [] : [eq(audit.actor, actor)]),
    ...(actorPart === undefined
      ? []
      : [sql`strpos(lower(${audit.actor}), ${actorPart.toLowerCase()}::text) > 0`]),
    ...(act === undefined ? [] : [eq(audit.act, act)]),
    ...(subjectKind === undefined ? [] : [eq(audit.subjectKind, subjectKind)]),
    ...(subjectId === undefined ? [] : [eq(audit.subjectId, subjectId)]),
    ...(subjectIds === undefined ? [] : [inArray(audit.subjectId, [...subjectIds])]),
    ...(memberId === undefined ? [] : [eq(audit.memberId, memberId)]),
    ...(views === undefined ? [] : [ne(audit.act, 'view')]),
    ...(from === undefined ? [] : [gte(audit.at, from)]),
    ...(to === undefined ? [] : [lt(audit.at, to)]),
  ]
}

function readSums(db: Db, filters: ActLogFilters): ReturnType<ActLog['sums']> {
  const count = sql<number>`count(*)::int`
  const { actor, act } = audit
  return db
    .select({ actor, act, count })
    .from(audit)
    .where(and(...conditions(filters)))
    .groupBy(actor, act)
    .orderBy(desc(count), actor, act)
    .limit(sumsMax)
}

/** What the hash is of, as it is stored, but for the time; then the chain, and how screens name the ids. */
const header = [
  'id',
  'at (UTC)',
  'actor',
  'act',
  'subjectKind',
  'subjectId',
  'memberId',
  'details',
  'no',
  'hash',
].concat(['subject', 'member'])

async function* filePages(db: Db, filters: ActLogFilters | null, names: NamesOf): AsyncGenerator<Cell[][]> {
  if (filters === null) return
  const read = (after: { row: AuditRow } | undefined) =>
    db
      .select({ row: audit, no: auditLink.no, hash: auditLink.hash })
      .from(audit)
      .leftJoin(auditLink, eq(auditLink.auditId, audit.id))
      .where(and(...conditions(filters), after && gt(audit.id, after.row.id)))
      .orderBy(asc(audit.id))
      .limit(filePageRows)
  for await (const rows of pagesByRow(filePageRows, read)) {
    const named = await names(rows.map(({ row }) => toActLogEntry(row)))
    yield rows.map(({ row, no, hash }, index) => {
      const { id, at, actor, act, subjectKind, subjectId, memberId, details } = row
      const { subject, account } = named[index] ?? { subject: { name: null }, account: null }
      const ofRow: Cell[] = [id, isoTime(at), actor, act, subjectKind, subjectId, memberId, details]
      return [...ofRow, no, hash, subject.name, account]
    })
  }
}

function toActLogEntry(row: typeof audit.$inferSelect): ActLogEntry {
  const { id, at, actor, act, subjectKind, subjectId, memberId, details } = row
  return {
    id: String(id),
    at,
    actor,
    act,
    subject: { kind: subjectKind, id: subjectId },
    memberId,
    details: JSON.parse(details) as Record<string, unknown>,
  }
}
