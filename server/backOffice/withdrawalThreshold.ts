import * as z from 'zod/mini'
import type { Minor } from '../../contract/brand.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { money } from '../../contract/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction, WithinTransaction } from '../db/database.ts'
import { readSetting, writeSetting } from '../db/settingValue.ts'
import type { OperatorSettings } from '../operatorConfig.ts'

/** The amount above which two persons approve a withdrawal: that of the operator's file until the staff sets another one. */
export type WithdrawalThreshold = {
  /** In minor units, as the database has it, so that all nodes apply a new one at once. */
  read(): Promise<Minor>
  set(to: Minor, actor: string, within: WithinTransaction): Promise<void>
}

const settingKey = 'withdrawal_four_eyes_above'
const stored = z.object({ above: money })

export type WithdrawalThresholdParts = {
  db: Db
  audit: Pick<Audit, 'write'>
  settings: OperatorSettings<'withdrawalFourEyesAbove'>
}

export function createWithdrawalThreshold({
  db,
  audit,
  settings,
}: WithdrawalThresholdParts): WithdrawalThreshold {
  const read = async (on: Db | DbTransaction): Promise<Minor> => {
    const value = await readSetting(on, settingKey)
    const { above } = value ? stored.parse(value) : { above: settings.operatorConfig.withdrawalFourEyesAbove }
    return moneyOf(above)
  }
  return {
    read: () => read(db),
    set: (to, actor, within) =>
      db.transaction(async (tx) => {
        const details = { from: formatMoney(await read(tx)), to: formatMoney(to) }
        const value = { above: details.to }
        await writeSetting(tx, settingKey, value)
        await audit.write(tx, { actor, act: 'limit', subject: { kind: 'limit', id: 'withdrawals' }, details })
        await within(tx)
      }),
  }
}
