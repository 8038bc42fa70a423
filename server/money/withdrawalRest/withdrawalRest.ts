import { and, eq, gt, sql } from 'drizzle-orm'
import { epochMs } from '../../../contract/units.ts'
import type { WithdrawalRest, WithdrawalRestCause } from '../../../contract/withdrawals.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'
import type { MoneySettings } from '../settings.ts'

/**
 * Withdrawals are paused for some time after a security change that an attacker could have made: a recovered password,
 * a new second factor, a new withdrawal account, a login that the member denies. Withdrawals under review continue.
 */
export type WithdrawalRests = {
  /** Begins the rest in the transaction of its cause; never ends one earlier. */
  begin(tx: DbTransaction, memberId: string, cause: WithdrawalRestCause): Promise<void>
  /**
   * The rest in progress, or null. With `tx` it locks the member's row: no rest starts before the transaction ends. A
   * transaction that also locks the withdrawal account does that first.
   */
  current(memberId: string, tx?: DbTransaction): Promise<WithdrawalRest | null>
  /** Throws `WITHDRAWALS_REST` with the instant when it ends. */
  assertNone(memberId: string, tx?: DbTransaction): Promise<void>
  /**
   * The same, but only after a recovered password: whoever took an account over by it would wait out the rest with a second factor or
   * a withdrawal account of their own.
   */
  assertNotRecovered(memberId: string, tx?: DbTransaction): Promise<void>
}

type Parts = { db: Db; clock: Pick<Clock, 'now'>; settings: Pick<MoneySettings, 'withdrawalRestMs'> }

export function createWithdrawalRests({ db, clock, settings }: Parts): WithdrawalRests {
  const { withdrawalRestMs } = settings
  const current: WithdrawalRests['current'] = async (memberId, tx) => {
    const query = (tx ?? db)
      .select({ endsAt: member.withdrawalsRestUntil, cause: member.withdrawalsRestCause })
      .from(member)
      .where(eq(member.id, memberId))
    const [row] = await (tx ? query.for('share') : query)
    if (!row || row.endsAt === null || row.cause === null || row.endsAt <= clock.now()) return null
    return { endsAt: epochMs(row.endsAt), cause: row.cause }
  }
  return {
    begin: async (tx, memberId, cause) => {
      const endsAt = clock.now() + withdrawalRestMs
      if (withdrawalRestMs === 0) return
      await tx
        .update(member)
        .set({
          withdrawalsRestUntil: endsAt,
          // What a recovered password forbids is not allowed by another cause.
          withdrawalsRestCause: sql`CASE WHEN ${member.withdrawalsRestCause} = 'password_recovered'
            AND ${member.withdrawalsRestUntil} > ${clock.now()}::bigint THEN ${member.withdrawalsRestCause} ELSE ${cause} END`,
        })
        .where(
          and(
            eq(member.id, memberId),
            gt(sql`${endsAt}::bigint`, sql`coalesce(${member.withdrawalsRestUntil}, 0)`),
          ),
        )
    },
    current,
    assertNone: async (memberId, tx) => {
      const rest = await current(memberId, tx)
      if (rest) throw new ApiError('WITHDRAWALS_REST', { params: rest })
    },
    assertNotRecovered: async (memberId, tx) => {
      const rest = await current(memberId, tx)
      if (rest?.cause === 'password_recovered') throw new ApiError('WITHDRAWALS_REST', { params: rest })
    },
  }
}
