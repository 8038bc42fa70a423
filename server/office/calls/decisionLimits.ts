import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { minor, type Minor } from '../../../contract/units.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { money } from '../../../contract/schema.ts'
import type { DecidedAlone } from '../../../contract/office/reviews.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { readSetting, writeSetting } from '../../platform/db/settingValue.ts'
import type { Person } from '../fourEyes/fourEyes.ts'
import type { OfficeConfig } from '../settings.ts'
import type { Clock } from '../../platform/ports.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Above these amounts two persons decide. They count what one person has decided alone in the last 24 hours. */
type Amounts = {
  /** Of one member: that of the operator's file until the staff sets another one. */
  above: Minor
  /** Of all members. */
  inAll: Minor
  /** How many times the one it is; null if the operator's file sets it. */
  inAllTimes: number | null
}
type AmountsChange = Record<
  'twoPersonsAboveBefore' | 'twoPersonsAbove' | 'twoPersonsAboveInAllBefore' | 'twoPersonsAboveInAll',
  string
>
/** A deposit or withdrawal that is about to be decided. */
type Decision = { id: string; memberId: string; amount: string }
/** With what is shown of it: what its member asked for within a day, and what waits for a second person. */
type ShownDecision = Decision & {
  inDay: { count: number; amount: string }
  proposal: { proposedBy: string } | null
}

export type DecisionLimits = {
  /** As the database has them, so that all nodes apply a new one at once. */
  read(): Promise<Amounts>
  /** Both amounts, as they are and as another one of one member makes them: what is proposed, and what the act log says. */
  change(above: Minor): Promise<AmountsChange>
  set(above: Minor, actor: string, within: WithinTransaction): Promise<void>
  /** Whether the decision is too much for one person. The database counts again at the commit. */
  isExceeded(person: Person, decision: Decision): Promise<boolean>
  /** How an amount stands to what one person decides, by the same sums. */
  alone(person: Person, decision: ShownDecision): Promise<DecidedAlone>
}

/** From this part of an amount on, a sum is near it. */
const nearBy = 0.8

const settingKey = 'withdrawal_four_eyes_above'
const stored = z.object({ above: money })
/** How many times the amount of one member a person decides in all, unless the operator's file says. */
const membersPerPerson = 10

export type DecisionLimitsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  actLog: Pick<ActLog, 'write'>
  settings: OperatorSettings<OfficeConfig, 'fourEyesAbove' | 'fourEyesAboveInAll'>
}

export function createDecisionLimits({ db, clock, actLog, settings }: DecisionLimitsParts): DecisionLimits {
  const { fourEyesAbove, fourEyesAboveInAll } = settings.operatorConfig
  /** The amount of all members goes with that of one, unless the operator's file has it. */
  const withInAll = (above: Minor): Amounts => ({
    above,
    inAll: fourEyesAboveInAll === undefined ? minor(membersPerPerson * above) : moneyOf(fourEyesAboveInAll),
    inAllTimes: fourEyesAboveInAll === undefined ? membersPerPerson : null,
  })
  const read = async (on: Db | DbTransaction): Promise<Amounts> => {
    const value = await readSetting(on, settingKey)
    return withInAll(moneyOf(value ? stored.parse(value).above : fourEyesAbove))
  }
  const change = async (on: Db | DbTransaction, above: Minor): Promise<AmountsChange> => {
    const [before, after] = [await read(on), withInAll(above)]
    return {
      twoPersonsAboveBefore: formatMoney(before.above),
      twoPersonsAbove: formatMoney(after.above),
      twoPersonsAboveInAllBefore: formatMoney(before.inAll),
      twoPersonsAboveInAll: formatMoney(after.inAll),
    }
  }
  return {
    read: () => read(db),
    change: (above) => change(db, above),
    set: (to, actor, within) =>
      db.transaction(async (tx) => {
        const details = await change(tx, to)
        await writeSetting(tx, settingKey, { above: details.twoPersonsAbove })
        await actLog.write(tx, {
          actor,
          act: 'limit',
          subject: { kind: 'limit', id: 'withdrawals' },
          details,
        })
        await within(tx)
      }),
    isExceeded: async (person, decision) => {
      const { above, inAll } = await read(db)
      const sums = await readDecidedAlone(db, person, decision)
      const amount = moneyOf(decision.amount)
      return amount + sums.ofMember > above || amount + sums.inAll > inAll
    },
    alone: async (person, decision) => {
      const limits = await read(db)
      const sums = await readDecidedAlone(db, person, decision)
      return {
        ofMember: formatMoney(minor(sums.ofMember)),
        inAll: formatMoney(minor(sums.inAll)),
        waiting: await readProposed(db, person, clock.now()),
        above: formatMoney(limits.above),
        aboveInAll: formatMoney(limits.inAll),
        ...standing(person, decision, sums, limits),
      }
    },
  }
}

type Sums = { ofMember: number; inAll: number }

/** As the database counts at the commit. */
async function readDecidedAlone(
  db: Db,
  { actor, isStaff }: Person,
  { id, memberId }: Decision,
): Promise<Sums> {
  const person = isStaff ? actor : ''
  const { rows } = await db.execute<Sums>(
    sql`SELECT decided_alone(${person}, ${memberId}, ${id})::float8 AS "ofMember",
      decided_alone(${person}, NULL, ${id})::float8 AS "inAll"`,
  )
  return rows[0] ?? { ofMember: 0, inAll: 0 }
}

/** Open proposals of a person to credit a deposit or approve a withdrawal. */
async function readProposed(db: Db, { actor }: Person, now: number): Promise<DecidedAlone['waiting']> {
  const { rows } = await db.execute<{ count: number; amount: number }>(sql`
    SELECT count(*)::int AS count, coalesce(sum(coalesce(d.amount, w.amount)), 0)::float8 AS amount
    FROM proposal p
      LEFT JOIN deposit d ON p.act = 'deposits.approve' AND d.id = p.subject_id
      LEFT JOIN withdrawal w ON p.act = 'withdrawals.approve' AND w.id = p.subject_id
    WHERE p.status = 'open' AND p.proposed_by = ${actor} AND p.expires_at > ${now}::bigint
      AND p.act IN ('deposits.approve', 'withdrawals.approve')`)
  const { count, amount } = rows[0] ?? { count: 0, amount: 0 }
  return { count, amount: formatMoney(minor(amount)) }
}

/** What the second person confirms counts for neither of the two persons. */
function standing(
  { actor }: Person,
  { amount, inDay, proposal }: ShownDecision,
  sums: Sums,
  limits: Amounts,
): Pick<DecidedAlone, 'state' | 'nearer'> {
  const isSecond = proposal !== null && proposal.proposedBy !== actor
  const own = isSecond ? { ofMember: 0, inAll: 0 } : sums
  const ofMember = (moneyOf(amount) + own.ofMember) / limits.above
  const inAll = (moneyOf(amount) + own.inAll) / limits.inAll
  const share = Math.max(ofMember, inAll)
  const isDayNear = inDay.count > 1 && moneyOf(inDay.amount) >= limits.above * nearBy
  return {
    state: share > 1 ? 'above' : share >= nearBy ? 'near' : isDayNear ? 'day' : 'below',
    nearer: ofMember >= inAll ? 'ofMember' : 'inAll',
  }
}
