import { and, desc, eq, sql } from 'drizzle-orm'
import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { BackOfficeMember } from '../../contract/backOffice/views.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { MemberRow } from '../db/schema/member.ts'
import { ApiError } from '../apiError.ts'
import type { Freezes } from '../freezes/freezes.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { IssuedCodes } from '../members/issuedCodes.ts'
import type { Phones } from '../members/phone.ts'
import type { Users } from '../members/user.ts'
import { belowCursor, toPagedList } from '../paging.ts'
import type { SelfLimitPolicy } from '../selfLimits/selfLimits.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { IdResolver } from './idResolver.ts'

export type MemberAdminParts = {
  db: Db
  idResolver: IdResolver
  audit: Audit
  codes: IssuedCodes
  ledger: Pick<Ledger, 'assets'>
  phones: Pick<Phones, 'decrypt'>
  users: Pick<Users, 'view'>
  freezes: Pick<Freezes, 'current'>
  selfLimits: Pick<SelfLimitPolicy, 'show'>
}

/** Opening codes and member profiles. Level and credit score are display only. */
export function mountMemberAdmin(call: BackOfficeCall, parts: MemberAdminParts): void {
  const { db, idResolver, audit, codes, ledger, phones, users } = parts
  const viewOf = (row: MemberRow): BackOfficeMember => memberView(users, row)
  call(backOfficeRoutes.codes.list, ({ query }) => codes.list(query))
  call(backOfficeRoutes.codes.issue, ({ body, actor }) => codes.issue(body.uses ?? null, actor))
  call(backOfficeRoutes.codes.revoke, ({ params, actor }) => codes.revoke(params.id, actor))

  call(backOfficeRoutes.members.list, async ({ query: { account, ...page } }) => {
    const accountPrefix =
      account === undefined
        ? undefined
        : sql`starts_with(lower(${member.account}), ${account.toLowerCase()}::text)`
    const rows = await db
      .select()
      .from(member)
      .where(and(accountPrefix, belowCursor(member.createdAt, member.id, page)))
      .orderBy(desc(member.createdAt), desc(member.id))
      .limit(page.limit + 1)
    return toPagedList(rows, page.limit, viewOf, (row) => [row.createdAt, row.id])
  })
  call(backOfficeRoutes.members.show, async ({ params, actor }) => {
    const memberId = await idResolver.member(params.id)
    const row = await rowOf(db, memberId)
    await audit.write(db, { actor, act: 'view', subject: { kind: 'member', id: memberId }, memberId })
    const phone = row.phoneSealed && phones.decrypt(row.phoneSealed)
    const { contactEmail } = users.view(row)
    return {
      ...viewOf(row),
      contactEmail,
      phone,
      openedWith: row.openedWith,
      assets: await ledger.assets(memberId),
      limits: await parts.selfLimits.show(memberId),
      frozen: await parts.freezes.current(memberId),
    }
  })
  call(backOfficeRoutes.members.level, ({ params, body, actor }) =>
    changeProfile(parts, { idOrAccount: params.id, actor, column: 'level', to: body.level }),
  )
  call(backOfficeRoutes.members.credit, ({ params, body, actor }) =>
    changeProfile(parts, { idOrAccount: params.id, actor, column: 'creditScore', to: body.creditScore }),
  )
}

type ProfileChange = { idOrAccount: string; actor: string; column: 'level' | 'creditScore'; to: number }

async function changeProfile(
  { db, idResolver, audit, users }: MemberAdminParts,
  { idOrAccount, actor, column, to }: ProfileChange,
): Promise<BackOfficeMember> {
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
    await audit.write(tx, { actor, act, subject: { kind: 'member', id: memberId }, memberId, details })
    return memberView(users, row)
  })
}

async function rowOf(db: Db, id: string): Promise<MemberRow> {
  const [row] = await db.select().from(member).where(eq(member.id, id))
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

function memberView(users: Pick<Users, 'view'>, row: MemberRow): BackOfficeMember {
  const { contactEmail: _contactEmail, ...rest } = users.view(row)
  return { ...rest, createdAt: row.createdAt, closedAt: row.closedAt }
}
