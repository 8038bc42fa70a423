import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { epochMs } from '../../../contract/units.ts'
import { loginRoutes, type LoginEvent } from '../../../contract/logins.ts'
import { retention } from '../../../contract/retention.ts'
import { dayMs, hourMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { loginEvent, type LoginEventRow } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { clearSid } from '../../platform/http/sessionCookie.ts'
import type { Messages } from '../../notices/index.ts'
import type { Module } from '../../platform/module.ts'
import { belowCursor, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, Random, Report } from '../../platform/ports.ts'
import type { WithdrawalRests } from '../../money/index.ts'
import { forgetDevices } from './account.ts'
import { networkOf } from './network.ts'
import type { Device, Sessions } from './sessions.ts'

export type LoginFrom = Device & { known: boolean; method: LoginEvent['method'] }

/** The logins of members, which a member sees and can deny. */
export type LoginHistory = {
  /**
   * Stores a login with its session; a device that the account was not used on before is reported to the member, unless
   * it is the first login of all. Returns the function that notifies; call it after the commit.
   */
  succeeded(tx: DbTransaction, memberId: string, from: LoginFrom): Promise<() => void>
  /**
   * Stores a wrong try. The answer does not wait for it, so that it takes equally long for accounts that do not exist.
   */
  failed(memberId: string, from: LoginFrom): void
  list(memberId: string, page: PageRequest): Promise<PagedList<LoginEvent>>
  /** Ends all sessions, no device is known any more, and withdrawals are paused. Throws `NOT_FOUND`. */
  deny(memberId: string, id: string): Promise<void>
  /** Deletes what is past its retention and returns how many. */
  prune(fence: Fence): Promise<number>
}

type Parts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  messages: Pick<Messages, 'send'>
  sessions: Pick<Sessions, 'endAll'>
  withdrawalRests: Pick<WithdrawalRests, 'begin'>
  report: Report
}

/** More wrong tries of an account in a day are not listed: an attacker could fill the table with them. */
const failedMaxPerDay = 50

export function createLoginHistory(parts: Parts): LoginHistory & Module {
  const { db, fence, clock, random, messages, report } = parts
  const insert = async (
    on: Db | DbTransaction,
    memberId: string,
    result: LoginEvent['result'],
    { device, ip, method, known }: LoginFrom,
  ): Promise<string> => {
    const id = random.uuid()
    const network = networkOf(ip)
    await on
      .insert(loginEvent)
      .values({ id, memberId, at: clock.now(), device, network, method, result, known })
    return id
  }
  const insertFailed = async (memberId: string, from: LoginFrom): Promise<void> => {
    const ofToday = and(
      eq(loginEvent.memberId, memberId),
      eq(loginEvent.result, 'failed'),
      gt(loginEvent.at, clock.now() - dayMs),
    )
    if ((await db.$count(loginEvent, ofToday)) < failedMaxPerDay) await insert(db, memberId, 'failed', from)
  }
  const history: LoginHistory = {
    succeeded: async (tx, memberId, from) => {
      const id = await insert(tx, memberId, 'succeeded', from)
      if (from.known) return () => undefined
      const earlier = and(
        eq(loginEvent.memberId, memberId),
        eq(loginEvent.result, 'succeeded'),
        ne(loginEvent.id, id),
      )
      const [one] = await tx.select({ id: loginEvent.id }).from(loginEvent).where(earlier).limit(1)
      if (!one) return () => undefined
      const params = { device: from.device }
      return messages.send(tx, { memberId, key: 'loginNewDevice', params, link: 'pages/sessions/sessions' })
    },
    failed: (memberId, from) => {
      insertFailed(memberId, from).catch((error: unknown) =>
        report('storing a failed log-in of a member failed', error),
      )
    },
    list: (memberId, page) => listLogins(db, memberId, page),
    deny: (memberId, id) => denyLogin(parts, memberId, id),
    prune: async (leader) => {
      const old = lt(loginEvent.at, clock.now() - retention.loginHistory.ms)
      const deleted = await leader.transaction(db, (tx) => tx.delete(loginEvent).where(old))
      return deleted.rowCount ?? 0
    },
  }
  return {
    ...history,
    mount: (app) => {
      mount(app, loginRoutes.logins, ({ member, query }) => history.list(member.memberId, query))
      mount(app, loginRoutes.denyLogin, async ({ member, params, request, reply }) => {
        await history.deny(member.memberId, params.id)
        clearSid(request, reply)
        return undefined
      })
    },
    jobs: [{ name: 'prune the log-in history', everyMs: hourMs, run: () => history.prune(fence) }],
  }
}

async function listLogins(db: Db, memberId: string, page: PageRequest): Promise<PagedList<LoginEvent>> {
  const own = eq(loginEvent.memberId, memberId)
  const rows = await db
    .select()
    .from(loginEvent)
    .where(and(own, belowCursor(loginEvent.at, loginEvent.id, page)))
    .orderBy(desc(loginEvent.at), desc(loginEvent.id))
    .limit(page.limit + 1)
  return toPagedList(rows, page.limit, toEvent, (row) => [row.at, row.id])
}

async function denyLogin(
  { db, clock, sessions, withdrawalRests }: Pick<Parts, 'db' | 'clock' | 'sessions' | 'withdrawalRests'>,
  memberId: string,
  id: string,
): Promise<void> {
  const endSockets = await db.transaction(async (tx) => {
    const own = and(eq(loginEvent.id, id), eq(loginEvent.memberId, memberId))
    const [denied] = await tx
      .update(loginEvent)
      .set({ deniedAt: sql`coalesce(${loginEvent.deniedAt}, ${clock.now()}::bigint)` })
      .where(and(own, eq(loginEvent.result, 'succeeded')))
      .returning({ id: loginEvent.id })
    if (!denied) throw new ApiError('NOT_FOUND')
    await forgetDevices(tx, memberId)
    await withdrawalRests.begin(tx, memberId, 'login_denied')
    return sessions.endAll(tx, memberId)
  })
  endSockets()
}

function toEvent({ id, device, network, method, result, known, at, deniedAt }: LoginEventRow): LoginEvent {
  const row = { id, device, network, method, result, known }
  return { ...row, at: epochMs(at), deniedAt: deniedAt === null ? null : epochMs(deniedAt) }
}
