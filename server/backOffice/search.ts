import { eq, inArray, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Found } from '../../contract/backOffice/record.ts'
import { canonicalPhone } from '../../contract/phones.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { orders } from '../db/schema/order.ts'
import { deposit, withdrawal } from '../db/schema/wallet.ts'
import type { Phones } from '../members/phone.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { SealedIndex } from '../sealedIndex.ts'

export type SearchParts = {
  db: Db
  audit: Audit
  phones: Pick<Phones, 'hash'>
  sealedIndex: Pick<SealedIndex, 'find'>
  settings: OperatorSettings<'phoneRules'>
}

const foundMax = 20

/**
 * Finds members by the beginning of their account or by a whole phone, name, number or payee, and requests and orders by
 * their number or id. The answer opens no sealed field; the audit records the search without what was typed.
 */
export async function search(parts: SearchParts, text: string, actor: string): Promise<Found[]> {
  const { db, audit, sealedIndex } = parts
  const sealed = await sealedIndex.find(db, text)
  const bySealed = new Map(sealed.map(({ kind, memberId }) => [memberId, kind]))
  const found = [
    ...(await findRequests(db, text)),
    ...(await findByPhoneOrId(parts, text)),
    ...(await membersOf(db, inArray(member.id, [...bySealed.keys()]))).map((row) =>
      toFound(row, bySealed.get(row.id) ?? 'name'),
    ),
    ...(await membersOf(db, sql`starts_with(lower(${member.account}), ${text.toLowerCase()}::text)`)).map(
      (row) => toFound(row, 'account'),
    ),
  ]
  const once = [...new Map(found.map((one) => [`${one.kind} ${one.id}`, one])).values()].slice(0, foundMax)
  const members = new Set(once.map(({ memberId }) => memberId))
  const [memberId] = members
  await audit.write(db, {
    actor,
    act: 'search',
    subject: { kind: 'search', id: 'members' },
    details: { found: once.length, by: [...new Set(once.map(({ by }) => by))].join(' ') },
    ...(members.size === 1 && memberId !== undefined && { memberId }),
  })
  return once
}

type MemberRow = { id: string; account: string }
const toFound = ({ id, account }: MemberRow, by: Found['by']): Found => ({
  kind: 'member',
  id,
  no: null,
  memberId: id,
  account,
  by,
})

const membersOf = (db: Db, condition: SQL): Promise<MemberRow[]> =>
  db
    .select({ id: member.id, account: member.account })
    .from(member)
    .where(condition)
    .orderBy(member.account)
    .limit(foundMax)

async function findByPhoneOrId({ db, phones, settings }: SearchParts, text: string): Promise<Found[]> {
  const hashes = settings.operatorConfig.phoneRules.map((rule) => phones.hash(canonicalPhone(rule, text)))
  const rows = await db
    .select({ id: member.id, account: member.account, phoneHash: member.phoneHash })
    .from(member)
    .where(or(eq(member.id, text), inArray(member.phoneHash, hashes)))
  return rows.map((row) => toFound(row, row.id === text ? 'id' : 'phone'))
}

/** By id, or by a number as the member's screen shows it. */
async function findRequests(db: Db, text: string): Promise<Found[]> {
  const no = text.toUpperCase()
  const found: Found[] = []
  for (const [kind, table] of [
    ['order', orders],
    ['deposit', deposit],
    ['withdrawal', withdrawal],
  ] as const) {
    const rows = await db
      .select({ id: table.id, no: table.no, memberId: table.memberId, account: member.account })
      .from(table)
      .innerJoin(member, eq(member.id, table.memberId))
      .where(or(eq(table.id, text), eq(table.no, no)))
    for (const row of rows) found.push({ kind, ...row, by: row.id === text ? 'id' : 'number' })
  }
  return found
}
