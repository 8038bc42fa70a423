import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { memberMarks, type MemberMark, type OfficeMember } from '../../../contract/office/views.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { member, type MemberRow } from '../../platform/db/schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import {
  isExcluded,
  isFrozen,
  type BusinessClock,
  type Freezes,
  type Ledger,
  type SelfLimitPolicy,
} from '../../money/index.ts'
import {
  shownOpeningCode,
  type IssuedCodes,
  type Phones,
  type Service,
  type Users,
  type Verifications,
} from '../../members/index.ts'
import type { MembersSettings } from '../../members/settings.ts'
import { belowCursor, toPagedList } from '../../platform/paging.ts'
import type { Clock } from '../../platform/ports.ts'
import type { FourEyes } from '../fourEyes/fourEyes.ts'
import { readWaitingAbout } from '../fourEyes/waitingAbout.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'

export type MemberAdminParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  business: Pick<BusinessClock, 'now'>
  idResolver: IdResolver
  actLog: ActLog
  codes: IssuedCodes
  ledger: Pick<Ledger, 'assets'>
  phones: Pick<Phones, 'decrypt'>
  users: Pick<Users, 'view'>
  fourEyes: Pick<FourEyes, 'isNeeded'>
  freezes: Pick<Freezes, 'current'>
  selfLimits: Pick<SelfLimitPolicy, 'show'>
  verifications: { office: Pick<Verifications['office'], 'verifiedName'> }
  service: { office: Pick<Service['office'], 'writesIn'> }
  settings: Pick<MembersSettings, 'openingCode'>
}

/** Opening codes and member profiles. Level and credit score are display only. */
export function mountMemberAdmin(call: OfficeCall, parts: MemberAdminParts): void {
  const { db, idResolver, actLog, codes, ledger, phones, users, settings } = parts
  const viewOf = (row: MemberRow): OfficeMember => memberView(users, row)
  call(officeRoutes.codes.list, ({ query }) => codes.list(query))
  call(officeRoutes.codes.issue, ({ body, actor }) => codes.issue(body.uses ?? null, actor))
  call(officeRoutes.codes.revoke, ({ params, actor }) => codes.revoke(params.id, actor))

  call(officeRoutes.members.list, async ({ query: { account, mark, ...page }, actor }) => {
    const details = { isFirst: page.cursor === undefined, limit: page.limit }
    const accountPrefix =
      account === undefined
        ? undefined
        : sql`starts_with(lower(${member.account}), ${account.toLowerCase()}::text)`
    const marks = marksAt(parts.clock.now(), parts.business.now())
    const rows = await db
      .select({ row: member, ...marks })
      .from(member)
      .where(and(accountPrefix, mark && marks[mark], belowCursor(member.createdAt, member.id, page)))
      .orderBy(desc(member.createdAt), desc(member.id))
      .limit(page.limit + 1)
    // Before the answer: no list without a row.
    const shown = Math.min(rows.length, page.limit)
    await actLog.lookAtList({ actor, subject: { kind: 'members', id: 'list' }, details, shown })
    const view = ({ row, ...has }: (typeof rows)[number]) => ({
      ...viewOf(row),
      marks: memberMarks.filter((name) => has[name]),
    })
    return toPagedList(rows, page.limit, view, ({ row }) => [row.createdAt, row.id])
  })
  call(officeRoutes.members.show, async ({ params, actor }) => {
    const memberId = await idResolver.member(params.id)
    const row = await rowOf(db, memberId)
    await actLog.look({ actor, subject: { kind: 'member', id: memberId }, memberId })
    const phone = row.phoneSealed && phones.decrypt(row.phoneSealed)
    const { contactEmail } = users.view(row)
    return {
      ...viewOf(row),
      contactEmail,
      name: await parts.verifications.office.verifiedName(memberId),
      phone,
      openedWith: shownOpeningCode(settings.openingCode, row.openedWith),
      language: row.language,
      writesIn: await parts.service.office.writesIn(memberId),
      assets: await ledger.assets(memberId),
      limits: await parts.selfLimits.show(memberId),
      frozen: await parts.freezes.current(memberId),
      takesTwo: await parts.fourEyes.isNeeded(),
      proposals: await readWaitingAbout(db, memberId, parts.clock.now()),
    }
  })
  call(officeRoutes.members.level, ({ params, body, actor }) =>
    changeProfile(parts, { idOrAccount: params.id, actor, column: 'level', to: body.level }),
  )
  call(officeRoutes.members.credit, ({ params, body, actor }) =>
    changeProfile(parts, { idOrAccount: params.id, actor, column: 'creditScore', to: body.creditScore }),
  )
}

/** With its table, because the tables of a mark have ids too. */
const ofRow = sql`member.id`
const marksAt = (now: number, businessNow: number): Record<MemberMark, SQL<boolean>> => ({
  frozen: isFrozen(ofRow, now),
  closed: sql<boolean>`${member.closedAt} IS NOT NULL`,
  rests: sql<boolean>`coalesce(${member.withdrawalsRestUntil} > ${now}::bigint, false)`,
  excluded: isExcluded(ofRow, businessNow),
})

type ProfileChange = { idOrAccount: string; actor: string; column: 'level' | 'creditScore'; to: number }

async function changeProfile(
  { db, idResolver, actLog, users }: MemberAdminParts,
  { idOrAccount, actor, column, to }: ProfileChange,
): Promise<OfficeMember> {
  const memberId = await idResolver.member(idOrAccount)
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(member).where(eq(member.id, memberId)).for('no key update')
    const [row] = await tx
      .update(member)
      .set({ [column]: to })
      .where(eq(member.id, memberId))
      .returning()
    if (!before || !row) throw new ApiError('NOT_FOUND')
    const act = column === 'level' ? 'level' : 'credit'
    const details = { from: before[column], to }
    await actLog.write(tx, { actor, act, subject: { kind: 'member', id: memberId }, memberId, details })
    return memberView(users, row)
  })
}

async function rowOf(db: Db, id: string): Promise<MemberRow> {
  const [row] = await db.select().from(member).where(eq(member.id, id))
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

function memberView(users: Pick<Users, 'view'>, row: MemberRow): OfficeMember {
  const { contactEmail: _contactEmail, ...rest } = users.view(row)
  return { ...rest, createdAt: row.createdAt, closedAt: row.closedAt }
}
