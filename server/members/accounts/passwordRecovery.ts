import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { authRoutes, passwordRecoveryOf } from '../../../contract/auth.ts'
import { paths } from '../../../contract/pagePaths.ts'
import { canonicalPhone, phoneCountryOf } from '../../../contract/phones.ts'
import { passwordsMatch } from '../../../contract/rules.ts'
import { minuteMs, secondMs } from '../../../contract/time.ts'
import type { WorkAnswer } from '../../../contract/work.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { member } from '../../platform/db/schema.ts'
import {
  passwordRecoveryCode,
  passwordRecoveryInbox,
  passwordRequest,
  type PasswordKind,
  type PasswordRequestRow,
} from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { addressBlock } from '../../platform/http/rateLimiter.ts'
import { sha256 } from '../../platform/keyDerivation.ts'
import type { MessageDraft, Messages } from '../../notices/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { randomToken } from '../../platform/random.ts'
import type { WithdrawalRests } from '../../money/index.ts'
import { accountKey, forgetDevices } from './account.ts'
import type { Allowances } from './allowances.ts'
import { applyPasswordChange, assertValidPassword } from './passwordChange.ts'
import type { PasswordGuard } from './passwordGuard.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import {
  createRecoveryFirstCodes,
  type RecoveryFirstCodes,
  type RecoveryFirstCodesParts,
} from './recoveryFirstCode.ts'
import type { Sessions } from './sessions.ts'
import { passUnlessWork, type WorkChallenges } from './workChallenges.ts'
import type { MembersConfig, MembersSettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Shown once, to who approved the request, who hands it to the member. */
export type RecoveryLink = { link: string; linkExpiresAt: number }
export type RecoveryRequest = {
  kind: PasswordKind
  account: string
  phone: string
  country?: string | undefined
  work?: WorkAnswer | undefined
}
export type NewPassword = {
  code: string
  firstCode?: string | undefined
  newPassword: string
  confirmPassword: string
}

/** Forgotten passwords: requested without a session, decided by the office, set by the member with a link. */
export type PasswordRecovery = {
  /**
   * Stores the request unread: neither the answer nor its time depends on whether the account exists. Throws `WORK_REQUIRED`
   * once the address has used up what it has free.
   */
  request(request: RecoveryRequest, ip: string): Promise<void>
  /** Makes requests under review of the stored ones that name a member's account and phone; returns how many. */
  deliver(fence: Fence): Promise<number>
  firstCodes: Pick<RecoveryFirstCodes, 'make'>
  /**
   * Issues the link of an approved recovery, which asks for the code of `firstCodeHash`, if there is one. Earlier links of
   * the member for this password work no more.
   */
  issueLink(
    tx: DbTransaction,
    request: PasswordRequestRow,
    firstCodeHash: string | undefined,
  ): Promise<RecoveryLink>
  /**
   * Sets the password and ends all sessions; no device is known any more, and withdrawals are paused. Throws
   * `RECOVERY_CODE_INVALID`, `VALIDATION`, `PASSWORD_MISMATCH`.
   */
  complete(request: NewPassword): Promise<PasswordKind>
}

export type PasswordRecoveryParts = RecoveryFirstCodesParts & {
  /** Used by the job. */
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid' | 'bytes'>
  passwords: Passwords
  phones: Pick<Phones, 'hash'>
  works: WorkChallenges
  allowances: Pick<Allowances, 'recovery'>
  guard: Pick<PasswordGuard, 'resetFailures'>
  sessions: Pick<Sessions, 'endAll'>
  withdrawalRests: Pick<WithdrawalRests, 'begin'>
  messages: Pick<Messages, 'send'>
  settings: Pick<MembersSettings, 'publicUrl' | 'host' | 'port'> &
    OperatorSettings<MembersConfig, 'name' | 'phoneRules'>
}

const codeTtlMs = 30 * minuteMs
const codeBytes = 24
const deliverEveryMs = 5 * secondMs

export function createPasswordRecovery(parts: PasswordRecoveryParts): PasswordRecovery & Module {
  const { db, clock, random, phones, settings } = parts
  const { phoneRules } = settings.operatorConfig
  const firstCodes = createRecoveryFirstCodes(parts)
  const recovery: PasswordRecovery = {
    firstCodes,
    request: async ({ kind, account, phone, country, work }, ip) => {
      const isFree = parts.allowances.recovery(addressBlock(ip))
      await passUnlessWork(parts, isFree, { purpose: 'recovery work', ip }, work)
      const rule = phoneCountryOf(phoneRules, country)
      if (!rule) throw new ApiError('VALIDATION', { fields: { country: 'INVALID' } })
      const phoneHash = phones.hash(canonicalPhone(rule, phone))
      const row = { id: random.uuid(), kind, account: accountKey(account), phoneHash, at: clock.now() }
      await db.insert(passwordRecoveryInbox).values(row)
    },
    deliver: async (fence) => {
      const [waiting] = await db.select({ id: passwordRecoveryInbox.id }).from(passwordRecoveryInbox).limit(1)
      if (!waiting) return 0
      const { count, notify } = await fence.transaction(db, (tx) => deliverRequests(parts, tx))
      notify()
      return count
    },
    issueLink: async (tx, { id, memberId, kind }, firstCodeHash) => {
      const now = clock.now()
      const code = randomToken(random, codeBytes)
      const unused = and(
        eq(passwordRecoveryCode.memberId, memberId),
        eq(passwordRecoveryCode.kind, kind),
        isNull(passwordRecoveryCode.usedAt),
        gt(passwordRecoveryCode.expiresAt, now),
      )
      await tx.update(passwordRecoveryCode).set({ expiresAt: now }).where(unused)
      const linkExpiresAt = now + codeTtlMs
      const issued = {
        codeHash: sha256(code),
        firstCodeHash: firstCodeHash ?? null,
        expiresAt: linkExpiresAt,
      }
      await tx.insert(passwordRecoveryCode).values({ requestId: id, memberId, kind, ...issued })
      const origin = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
      const calls = firstCodeHash === undefined ? '' : '&calls=2'
      // In the fragment, which browsers send to no server.
      return { link: `${origin}/#${paths.recover}?kind=${kind}&code=${code}${calls}`, linkExpiresAt }
    },
    complete: (request) => completeRecovery({ ...parts, firstCodes }, request),
  }
  const step = { ...authRoutes.recoverPassword, body: passwordRecoveryOf(phoneRules) }
  return {
    ...recovery,
    mount: (app) => {
      mount(app, step, async ({ body, ip }) => {
        await recovery.request(body, ip)
        return { status: 'received' as const }
      })
      mount(app, authRoutes.completeRecovery, async ({ body }) => ({ kind: await recovery.complete(body) }))
    },
    jobs: [
      {
        name: 'deliver requests of forgotten passwords',
        everyMs: deliverEveryMs,
        run: () => recovery.deliver(parts.fence),
      },
    ],
  }
}

async function deliverRequests(
  { random, messages }: PasswordRecoveryParts,
  tx: DbTransaction,
): Promise<{ count: number; notify: () => void }> {
  const stored = await tx.select().from(passwordRecoveryInbox)
  if (stored.length === 0) return { count: 0, notify: () => undefined }
  const ids = stored.map(({ id }) => id)
  const named = await tx
    .select({ memberId: member.id, kind: passwordRecoveryInbox.kind, createdAt: passwordRecoveryInbox.at })
    .from(passwordRecoveryInbox)
    .innerJoin(
      member,
      and(
        eq(sql`lower(${member.account})`, passwordRecoveryInbox.account),
        eq(member.phoneHash, passwordRecoveryInbox.phoneHash),
      ),
    )
    .where(inArray(passwordRecoveryInbox.id, ids))
  const rows = named.map((row) => ({
    ...row,
    id: random.uuid(),
    recovery: true,
    status: 'under_review' as const,
  }))
  // One that is under review already is not doubled.
  const created =
    rows.length === 0
      ? []
      : await tx
          .insert(passwordRequest)
          .values(rows)
          .onConflictDoNothing()
          .returning({ memberId: passwordRequest.memberId, kind: passwordRequest.kind })
  await tx.delete(passwordRecoveryInbox).where(inArray(passwordRecoveryInbox.id, ids))
  const drafts = created.map(({ memberId, kind }): MessageDraft<'passwordRecoveryAsked'> => ({
    memberId,
    key: 'passwordRecoveryAsked',
    params: { kind },
    link: 'pages/sessions/sessions',
  }))
  return { count: created.length, notify: await messages.send(tx, ...drafts) }
}

/** The cheap checks come first: hashing is expensive, and an attack would aim at it. */
async function completeRecovery(
  parts: PasswordRecoveryParts & { firstCodes: RecoveryFirstCodes },
  { code, firstCode, newPassword, confirmPassword }: NewPassword,
): Promise<PasswordKind> {
  const { db, clock, passwords, sessions, withdrawalRests } = parts
  const isUsable = () =>
    and(
      eq(passwordRecoveryCode.codeHash, sha256(code)),
      isNull(passwordRecoveryCode.usedAt),
      gt(passwordRecoveryCode.expiresAt, clock.now()),
    )
  const [issued] = await db.select().from(passwordRecoveryCode).where(isUsable())
  if (!issued) throw new ApiError('RECOVERY_CODE_INVALID')
  const { memberId, kind } = issued
  await assertValidPassword(parts, memberId, kind, newPassword)
  if (passwordsMatch(newPassword, confirmPassword)) throw new ApiError('PASSWORD_MISMATCH')
  await parts.firstCodes.assertRight(issued, firstCode)
  const newHash = await passwords.hash(newPassword, 'unknown')
  const afterCommit = await db.transaction(async (tx) => {
    const [used] = await tx
      .update(passwordRecoveryCode)
      .set({ usedAt: clock.now() })
      .where(isUsable())
      .returning({ kind: passwordRecoveryCode.kind })
    if (!used) throw new ApiError('RECOVERY_CODE_INVALID')
    const notify = await applyPasswordChange(parts, tx, { memberId, kind, newHash })
    // Another person who had the old password may have a known device, too.
    if (kind === 'transaction') await forgetDevices(tx, memberId)
    await withdrawalRests.begin(tx, memberId, 'password_recovered')
    // After the member's row is locked by the change, so that a login with the old password opens none behind it.
    return [notify, await sessions.endAll(tx, memberId)]
  })
  for (const run of afterCommit) run()
  return kind
}
