import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { minor, type Minor } from '../../../contract/units.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { money } from '../../../contract/schema.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { readSetting, writeSetting } from '../../platform/db/settingValue.ts'
import type { Person } from '../fourEyes/fourEyes.ts'
import type { OfficeConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Above these amounts two persons decide. They count what one person has decided alone in the last 24 hours. */
type Amounts = {
  /** Of one member: that of the operator's file until the staff sets another one. */
  above: Minor
  /** Of all members. */
  inAll: Minor
}
/** A deposit or withdrawal that is about to be decided. */
type Decision = { id: string; memberId: string; amount: string }

export type DecisionLimits = {
  /** As the database has them, so that all nodes apply a new one at once. */
  read(): Promise<Amounts>
  set(above: Minor, actor: string, within: WithinTransaction): Promise<void>
  /** Whether the decision is too much for one person. The database counts again at the commit. */
  isExceeded(person: Person, decision: Decision): Promise<boolean>
}

const settingKey = 'withdrawal_four_eyes_above'
const stored = z.object({ above: money })
/** How many times the amount of one member a person decides in all, unless the operator's file says. */
const membersPerPerson = 10

export type DecisionLimitsParts = {
  db: Db
  actLog: Pick<ActLog, 'write'>
  settings: OperatorSettings<OfficeConfig, 'fourEyesAbove' | 'fourEyesAboveInAll'>
}

export function createDecisionLimits({ db, actLog, settings }: DecisionLimitsParts): DecisionLimits {
  const { fourEyesAbove, fourEyesAboveInAll } = settings.operatorConfig
  const read = async (on: Db | DbTransaction): Promise<Amounts> => {
    const value = await readSetting(on, settingKey)
    const above = moneyOf(value ? stored.parse(value).above : fourEyesAbove)
    const inAll =
      fourEyesAboveInAll === undefined ? minor(membersPerPerson * above) : moneyOf(fourEyesAboveInAll)
    return { above, inAll }
  }
  return {
    read: () => read(db),
    set: (to, actor, within) =>
      db.transaction(async (tx) => {
        const details = { from: formatMoney((await read(tx)).above), to: formatMoney(to) }
        const value = { above: details.to }
        await writeSetting(tx, settingKey, value)
        await actLog.write(tx, {
          actor,
          act: 'limit',
          subject: { kind: 'limit', id: 'withdrawals' },
          details,
        })
        await within(tx)
      }),
    isExceeded: async ({ actor, isStaff }, { id, memberId, amount }) => {
      const person = isStaff ? actor : ''
      const { rows } = await db.execute<{ of_member: number; in_all: number }>(
        sql`SELECT decided_alone(${person}, ${memberId}, ${id})::float8 AS of_member,
          decided_alone(${person}, NULL, ${id})::float8 AS in_all`,
      )
      const [sums = { of_member: 0, in_all: 0 }] = rows
      const { above, inAll } = await read(db)
      return moneyOf(amount) + sums.of_member > above || moneyOf(amount) + sums.in_all > inAll
    },
  }
}
