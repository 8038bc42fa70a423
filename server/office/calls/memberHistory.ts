import { sql, type SQL } from 'drizzle-orm'
import type { MemberEvent } from '../../../contract/office/memberHistory.ts'
import { mayCall, type OfficeCallName } from '../../../contract/office/roles.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { formatMoney } from '../../../contract/money.ts'
import { minor } from '../../../contract/units.ts'
import { ApiError } from '../../platform/apiError.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { ActLog } from '../../notices/index.ts'
import type { MemberNotes, Verifications } from '../../members/index.ts'
import { withdrawalState, type Wallet } from '../../money/index.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'

export type MemberHistoryParts = {
  db: Db
  idResolver: Pick<IdResolver, 'member'>
  actLog: Pick<ActLog, 'look'>
  notes: MemberNotes
  verifications: { office: Pick<Verifications['office'], 'show'> }
  wallet: { accounts: Pick<Wallet['accounts'], 'boundRef' | 'showForOffice'> }
}

/** Who a member is, the events of the account, and the notes of the staff: each view is a row of the act log. */
export function mountMemberHistory(call: OfficeCall, parts: MemberHistoryParts): void {
  const { db, idResolver, actLog, notes, verifications, wallet } = parts
  const { members } = officeRoutes
  const look = async (idOrAccount: string, kind: string, actor: string): Promise<string> => {
    const memberId = await idResolver.member(idOrAccount)
    await actLog.look({ actor, subject: { kind, id: memberId }, memberId })
    return memberId
  }
  call(members.identity, async ({ params, actor, role }) => {
    const memberId = await idResolver.member(params.id)
    const person = mayCall(role, 'verifications.show')
      ? await verifications.office.show(memberId).catch(nullIfNotFound)
      : null
    if (person) await actLog.look({ actor, subject: { kind: 'verification', id: person.id }, memberId })
    const account = mayCall(role, 'withdrawals.show')
      ? await wallet.accounts.boundRef(memberId).catch(nullIfNotFound)
      : null
    const payee = account && (await wallet.accounts.showForOffice(account.id))
    if (account)
      await actLog.look({ actor, subject: { kind: 'withdrawal-account', id: account.id }, memberId })
    return {
      document: person && { number: person.idNumber, nationality: person.nationality },
      payTo: payee && payee.details,
    }
  })
  call(members.timeline, async ({ params, query, actor, role }) =>
    readTimeline(db, await look(params.id, 'timeline', actor), query, kindsOf(role)),
  )
  call(members.notes, async ({ params, query, actor }) =>
    notes.list(await look(params.id, 'notes', actor), query),
  )
  call(members.note, async ({ params, body, actor }) =>
    notes.add(await idResolver.member(params.id), body.body, actor),
  )
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
  throw error
}

type Kind = MemberEvent['kind']
/** What shows a kind of event elsewhere: who may not make the call does not see it in the timeline. */
const callOf: Partial<Record<Kind, OfficeCallName>> = {
  'password-request': 'password-requests.list',
  login: 'members.sessions',
}

const kindsOf = (role: StaffRole | null): Kind[] =>
  (Object.keys(events) as Kind[]).filter((kind) => mayCall(role, callOf[kind] ?? 'members.timeline'))

/** What of each kind there is of a member: `id`, `at`, and what differs from {@link nothing}. */
const events: Readonly<Record<Kind, (memberId: string) => { from: SQL; columns: Partial<Columns> }>> = {
  opened: (memberId) => ({
    from: sql`member e WHERE e.id = ${memberId}`,
    columns: { at: sql`e.created_at` },
  }),
  deposit: (memberId) => ({
    from: sql`deposit e WHERE e.member_id = ${memberId}`,
    columns: { at: sql`e.created_at`, no: sql`e.no`, amount: sql`e.amount`, status: sql`e.status` },
  }),
  withdrawal: (memberId) => ({
    from: sql`withdrawal e WHERE e.member_id = ${memberId}`,
    columns: {
      at: sql`e.created_at`,
      no: sql`e.no`,
      amount: sql`e.amount`,
      status: withdrawalState(sql`e`),
    },
  }),
  verification: (memberId) => ({
    from: sql`verification e WHERE e.member_id = ${memberId}`,
    columns: { at: sql`e.submitted_at`, status: sql`e.status` },
  }),
  'password-request': (memberId) => ({
    from: sql`password_request e WHERE e.member_id = ${memberId}`,
    columns: { at: sql`e.created_at`, status: sql`e.status`, what: sql`e.kind` },
  }),
  login: (memberId) => ({
    from: sql`login_event e WHERE e.member_id = ${memberId} AND e.result = 'succeeded' AND NOT e.known`,
    columns: { what: sql`e.device` },
  }),
  // Results are in the orders, and a login from a new device is an event of its own.
  notice: (memberId) => ({
    from: sql`message e WHERE e.member_id = ${memberId} AND e.category <> 'trade' AND e.key <> 'loginNewDevice'`,
    columns: { what: sql`e.key`, params: sql`e.params`, title: sql`e.title` },
  }),
  act: (memberId) => ({
    from: sql`audit e LEFT JOIN proposal p ON e.subject_kind = 'proposal' AND p.id = e.subject_id
      LEFT JOIN deposit d ON d.id = coalesce(p.subject_id, e.subject_id)
      LEFT JOIN withdrawal w ON w.id = coalesce(p.subject_id, e.subject_id)
      WHERE e.member_id = ${memberId} AND e.act NOT IN ('view', 'search')`,
    columns: {
      id: sql`e.id::text`,
      no: sql`coalesce(d.no, w.no)`,
      amount: sql`coalesce(d.amount, w.amount)`,
      what: sql`e.act`,
      by: sql`e.actor`,
      subject_kind: sql`e.subject_kind`,
      subject_id: sql`e.subject_id`,
      // What a colleague wrote; why a request was rejected is in the message to the member.
      params: sql`CASE WHEN e.act = 'decline' THEN jsonb_build_object('reason', e.details::jsonb->>'reason') ELSE '{}'::jsonb END`,
    },
  }),
}

const columnNames = [
  'no',
  'amount',
  'status',
  'what',
  'by',
  'subject_kind',
  'subject_id',
  'params',
  'title',
] as const
type Columns = Record<'id' | 'at' | (typeof columnNames)[number], SQL>
const nothing = (name: (typeof columnNames)[number]): SQL =>
  name === 'amount' ? sql`NULL::bigint` : name === 'params' ? sql`'{}'::jsonb` : sql`NULL::text`

type EventRow = {
  key: string
  kind: Kind
  at: number
  no: string | null
  amount: number | null
  status: MemberEvent['status']
  what: string | null
  by: string | null
  subject_kind: string | null
  subject_id: string | null
  params: Record<string, unknown>
  title: string | null
}

async function readTimeline(
  db: Db,
  memberId: string,
  page: PageRequest,
  kinds: readonly Kind[],
): Promise<PagedList<MemberEvent>> {
  const after = readCursor(page.cursor)
  // Each kind gives as many as a page takes, so that a long history is not read as a whole.
  const parts = kinds.map((kind) => {
    const { from, columns } = events[kind](memberId)
    const { id = sql`e.id`, at = sql`e.at` } = columns
    const key = sql`(${kind}::text || '.' || ${id})`
    const chosen = columnNames.map(
      (name) => sql`${columns[name] ?? nothing(name)} AS ${sql.identifier(name)}`,
    )
    const below = after === null ? sql`` : sql`AND (${at}, ${key}) < (${after[0]}::bigint, ${after[1]})`
    return sql`(SELECT ${key} AS key, ${kind}::text AS kind, ${at} AS at, ${sql.join(chosen, sql`, `)}
      FROM ${from} ${below} ORDER BY ${at} DESC, ${key} DESC LIMIT ${page.limit + 1})`
  })
  const { rows } = await db.execute<EventRow>(sql`
    SELECT key, kind, at::float8 AS at, no, amount::float8 AS amount, status, what, by, subject_kind, subject_id, params, title
    FROM (${sql.join(parts, sql` UNION ALL `)}) all_events
    ORDER BY at DESC, key DESC LIMIT ${page.limit + 1}`)
  return toPagedList(rows, page.limit, toEvent, ({ at, key }) => [at, key])
}

function toEvent(row: EventRow): MemberEvent {
  const { key, kind, at, no, amount, status, what, by, params, title } = row
  const { subject_kind: subjectKind, subject_id: subjectId } = row
  return {
    id: key,
    kind,
    at,
    no,
    amount: amount === null ? null : formatMoney(minor(amount)),
    status,
    what,
    subject: subjectKind === null || subjectId === null ? null : { kind: subjectKind, id: subjectId },
    by,
    params,
    title,
  }
}
