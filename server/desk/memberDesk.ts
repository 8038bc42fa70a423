import { and, desc, eq, sql } from 'drizzle-orm'
import { deskRoutes } from '../../contract/desk.ts'
import type { DeskMember } from '../../contract/desk/views.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { MemberRow } from '../db/schema/member.ts'
import { Refusal } from '../http/refusal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { IssuedCodes } from '../members/issuedCodes.ts'
import type { Phones } from '../members/phone.ts'
import type { Users } from '../members/user.ts'
import { below, pageOf } from '../pages.ts'
import type { DeskCall } from './deskCall.ts'
import type { Names } from './names.ts'

export type MemberDeskParts = {
  db: Db
  names: Names
  audit: Audit
  codes: IssuedCodes
  ledger: Pick<Ledger, 'assets'>
  phones: Pick<Phones, 'open'>
  users: Pick<Users, 'view'>
}

/** Who may open an account, and what is shown of members. Level and credit score are display only. */
export function mountMembersDesk(call: DeskCall, parts: MemberDeskParts): void {
  const { db, names, audit, codes, ledger, phones, users } = parts
  const viewOf = (row: MemberRow): DeskMember => memberView(users, row)
  call(deskRoutes.codes.list, ({ query }) => codes.list(query))
  call(deskRoutes.codes.issue, ({ body, actor }) => codes.issue(body.uses ?? null, actor))
  call(deskRoutes.codes.revoke, ({ params, actor }) => codes.revoke(params.id, actor))

  call(deskRoutes.members.list, async ({ query: { account, ...page } }) => {
    const begins =
      account === undefined
        ? undefined
        : sql`starts_with(lower(${member.account}), ${account.toLowerCase()}::text)`
    const rows = await db
      .select()
      .from(member)
      .where(and(begins, below(member.createdAt, member.id, page)))
      .orderBy(desc(member.createdAt), desc(member.id))
      .limit(page.limit + 1)
    return pageOf(rows, page.limit, viewOf, (row) => [row.createdAt, row.id])
  })
  call(deskRoutes.members.show, async ({ params, actor }) => {
    const memberId = await names.member(params.id)
    const row = await rowOf(db, memberId)
    await audit.write(db, { actor, act: 'view', subject: { kind: 'member', id: memberId }, memberId })
    const phone = phones.open(row.phoneSealed)
    const { contactEmail } = users.view(row)
    return {
      ...viewOf(row),
      contactEmail,
      phone,
      openedWith: row.openedWith,
      assets: await ledger.assets(memberId),
    }
  })
  call(deskRoutes.members.level, ({ params, body, actor }) =>
    change(parts, { given: params.id, actor, column: 'level', to: body.level }),
  )
  call(deskRoutes.members.credit, ({ params, body, actor }) =>
    change(parts, { given: params.id, actor, column: 'creditScore', to: body.creditScore }),
  )
}

type Change = { given: string; actor: string; column: 'level' | 'creditScore'; to: number }

async function change(
  { db, names, audit, users }: MemberDeskParts,
  { given, actor, column, to }: Change,
): Promise<DeskMember> {
  const memberId = await names.member(given)
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(member).where(eq(member.id, memberId)).for('no key update')
    const [row] = await tx
      .update(member)
      .set({ [column]: to })
      .where(eq(member.id, memberId))
      .returning()
    if (!before || !row) throw new Refusal(404, 'NOT_FOUND')
    const act = column === 'level' ? 'level' : 'credit'
    const details = { from: before[column], to }
    await audit.write(tx, { actor, act, subject: { kind: 'member', id: memberId }, memberId, details })
    return memberView(users, row)
  })
}

async function rowOf(db: Db, id: string): Promise<MemberRow> {
  const [row] = await db.select().from(member).where(eq(member.id, id))
  if (!row) throw new Refusal(404, 'NOT_FOUND')
  return row
}

function memberView(users: Pick<Users, 'view'>, row: MemberRow): DeskMember {
  const { contactEmail: _sealed, ...rest } = users.view(row)
  return { ...rest, createdAt: row.createdAt }
}
