import { eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Found } from '../../../contract/office/memberRecord.ts'
import { mayCall } from '../../../contract/office/roles.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { canonicalPhone } from '../../../contract/phones.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'
import { orders } from '../../trading/index.ts'
import { deposit, hasReference, withdrawal, withdrawalState } from '../../money/index.ts'
import type { Phones, Verifications } from '../../members/index.ts'
import type { SealedIndex } from '../../platform/sealedIndex.ts'
import type { OfficeConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'
import { statesOf } from './foundStates.ts'
import { namedMax } from './lastingFacts.ts'

export type SearchParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  actLog: ActLog
  phones: Pick<Phones, 'hash'>
  verifications: { office: Pick<Verifications['office'], 'verifiedName'> }
  sealedIndex: Pick<SealedIndex, 'find' | 'hash'>
  settings: OperatorSettings<OfficeConfig, 'phoneRules'>
}

const foundMax = 20
/** Enough to distinguish searches. */
const hashDigits = 16

/** What was found, without its name and states. */
type Hit = Omit<Found, 'name' | 'status' | 'waiting'> & { status?: Found['status'] }

/**
 * Finds members by a part of their account, by the beginnings of the words of their name, or by a whole phone, ID or payee;
 * requests by a part of their number; orders by their number; payments by their whole bank reference. The act log records what kind of thing was typed, and a keyed
 * hash of it: two searches for the same are recognised, and a known text can be compared.
 */
export async function search(
  parts: SearchParts,
  text: string,
  { actor, role }: { actor: string; role: StaffRole | null },
): Promise<Found[]> {
  const { db, actLog, sealedIndex } = parts
  const sealed = await sealedIndex.find(db, text)
  const bySealed = new Map(sealed.map(({ kind, memberId }) => [memberId, kind]))
  const found: Hit[] = [
    ...(await findRequests(db, text)),
    ...(mayCall(role, 'withdrawals.show') ? await findPayments(db, text) : []),
    ...(await findByPhoneOrId(parts, text)),
    ...(await membersOf(db, inArray(member.id, [...bySealed.keys()]))).map((row) =>
      toHit(row, bySealed.get(row.id) ?? 'name'),
    ),
    ...(await membersOf(db, sql`position(${text.toLowerCase()}::text IN lower(${member.account})) > 0`)).map(
      (row) => toHit(row, 'account'),
    ),
  ]
  const once = [...new Map(found.map((one) => [`${one.kind} ${one.id}`, one])).values()].slice(0, foundMax)
  const members = new Set(once.map(({ memberId }) => memberId))
  const [memberId] = members
  const isNamed = members.size <= namedMax
  await actLog.search({
    actor,
    subject: { kind: 'search', id: 'members' },
    details: {
      found: once.length,
      by: [...new Set(once.map(({ by }) => by))].join(' '),
      named: isNamed ? members.size : 0,
      typed: kindOf(text),
      hash: sealedIndex.hash(text).slice(0, hashDigits),
    },
    ...(members.size === 1 && memberId !== undefined && { memberId }),
  })
  const states = await statesOf(parts, [...members], role)
  const names = new Map<string, string | null>()
  for (const id of isNamed ? members : []) names.set(id, await parts.verifications.office.verifiedName(id))
  return once.map(({ status, ...hit }) => ({
    ...hit,
    name: names.get(hit.memberId) ?? null,
    status: status ?? states.get(hit.memberId)?.status ?? 'none',
    waiting: hit.kind === 'member' ? (states.get(hit.memberId)?.waiting ?? []) : [],
  }))
}

/** What a text looks like, whether or not anything was found. */
function kindOf(text: string): 'id' | 'number' | 'phone' | 'digits' | 'mixed' | 'words' {
  const word = text.trim()
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word)) return 'id'
  if (/^(D|W|UT)-\d{6}-[\da-z]+$/i.test(word)) return 'number'
  if (/^\+?[\d\s()-]{7,16}$/.test(word)) return 'phone'
  if (/^[\d\s-]+$/.test(word)) return 'digits'
  return /\d/.test(word) ? 'mixed' : 'words'
}

type MemberRow = { id: string; account: string }
const toHit = ({ id, account }: MemberRow, by: Found['by']): Hit => ({
  kind: 'member',
  id,
  no: null,
  memberId: id,
  account,
  by,
})

/** Those whose account is shortest first: a part is more of it. */
const membersOf = (db: Db, condition: SQL): Promise<MemberRow[]> =>
  db
    .select({ id: member.id, account: member.account })
    .from(member)
    .where(condition)
    .orderBy(sql`length(${member.account})`, member.account)
    .limit(foundMax)

async function findByPhoneOrId({ db, phones, settings }: SearchParts, text: string): Promise<Hit[]> {
  const hashes = settings.operatorConfig.phoneRules.map((rule) => phones.hash(canonicalPhone(rule, text)))
  const rows = await db
    .select({ id: member.id, account: member.account, phoneHash: member.phoneHash })
    .from(member)
    .where(or(eq(member.id, text), inArray(member.phoneHash, hashes)))
  return rows.map((row) => toHit(row, row.id === text ? 'id' : 'phone'))
}

/** A part of a number of a request, such as its end, which may have no digit. */
const numberPart = /^[\dA-Z-]{4,}$/

/** Withdrawals by the bank's reference of their payment, for those who see it. */
async function findPayments(db: Db, text: string): Promise<Hit[]> {
  const { id, no, memberId } = withdrawal
  const status = withdrawalState(sql`withdrawal`)
  const rows = await db
    .select({ id, no, memberId, account: member.account, status })
    .from(withdrawal)
    .innerJoin(member, eq(member.id, memberId))
    .where(hasReference(text))
    .limit(foundMax)
  return rows.map((row) => ({ kind: 'withdrawal', ...row, by: 'reference' }))
}

/** By id, or by a number as the member's screen shows it; of requests by a part of it. */
async function findRequests(db: Db, text: string): Promise<Hit[]> {
  const no = text.trim().toUpperCase()
  const found: Hit[] = []
  for (const [kind, table] of [
    ['order', orders],
    ['deposit', deposit],
    ['withdrawal', withdrawal],
  ] as const) {
    // There may be millions of orders, and their numbers are found whole.
    const hasPart =
      kind !== 'order' && numberPart.test(no) ? sql`position(${no}::text IN ${table.no}) > 0` : undefined
    const rows = await db
      .select({
        id: table.id,
        no: table.no,
        memberId: table.memberId,
        account: member.account,
        status:
          kind === 'withdrawal' ? withdrawalState(sql`withdrawal`) : sql<Found['status']>`${table.status}`,
      })
      .from(table)
      .innerJoin(member, eq(member.id, table.memberId))
      .where(or(eq(table.id, text), eq(table.no, no), hasPart))
      .limit(foundMax)
    for (const row of rows) found.push({ kind, ...row, by: row.id === text ? 'id' : 'number' })
  }
  return found
}
