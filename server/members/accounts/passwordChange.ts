import { eq } from 'drizzle-orm'
import { canonicalPhone } from '../../../contract/phones.ts'
import { transactionPasswordRule } from '../../../contract/rules.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { PasswordKind } from '../schema.ts'
import type { Messages } from '../../notices/index.ts'
import { forgetDevices } from './account.ts'
import { newPasswordRule } from './breachedPasswords.ts'
import type { PasswordGuard } from './passwordGuard.ts'
import type { Phones } from './phone.ts'
import type { MembersConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type PasswordHashChange = { memberId: string; kind: PasswordKind; newHash: string }

/** The page on which a member changes a password. */
export const passwordPageLink = 'pages/password/password'

type ValidParts = {
  db: Db
  phones: Pick<Phones, 'hash'>
  settings: OperatorSettings<MembersConfig, 'name' | 'phoneRules'>
}

/** Throws `VALIDATION` with `PASSWORD_WEAK`, `PASSWORD_BREACHED` or `TRANSACTION_PASSWORD_FORMAT`. */
export async function assertValidPassword(
  { db, phones, settings }: ValidParts,
  memberId: string,
  kind: PasswordKind,
  text: string,
): Promise<void> {
  const [row] = await db.select().from(member).where(eq(member.id, memberId))
  // Only the hash of the phone can be compared: a password with the same hash is the phone.
  const own = {
    venueName: settings.operatorConfig.name,
    ...(row && { account: row.account }),
    ...(settings.operatorConfig.phoneRules.some(
      (rule) => phones.hash(canonicalPhone(rule, text)) === row?.phoneHash,
    ) && {
      phone: text,
    }),
  }
  const passwordError = kind === 'login' ? newPasswordRule(text, own) : transactionPasswordRule(text)
  if (passwordError) throw new ApiError('VALIDATION', { fields: { newPassword: passwordError } })
}

/**
 * Makes the new password effective; with one to log in, no device is known any more. Returns the function that notifies the
 * member; call it after the commit.
 */
export async function applyPasswordChange(
  { guard, messages }: { guard: Pick<PasswordGuard, 'resetFailures'>; messages: Pick<Messages, 'send'> },
  tx: DbTransaction,
  change: PasswordHashChange,
): Promise<() => void> {
  const { memberId, kind, newHash } = change
  const set = kind === 'login' ? { passwordHash: newHash } : { transactionPasswordHash: newHash }
  await tx.update(member).set(set).where(eq(member.id, memberId))
  if (kind === 'login') await forgetDevices(tx, memberId)
  await guard.resetFailures(tx, memberId, kind)
  const key = kind === 'login' ? 'loginPasswordChanged' : 'transactionPasswordChanged'
  return messages.send(tx, { memberId, key, params: {}, link: passwordPageLink })
}
