import { eq, or, sql } from 'drizzle-orm'
import type { Minor } from '../../../contract/units.ts'
import { phoneCountryOf, canonicalPhone, type PhoneCountry } from '../../../contract/phones.ts'
import {
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../../contract/rules.ts'
import type { WorkAnswer } from '../../../contract/work.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { keptExclusion } from '../schema.ts'
import { member } from '../../platform/db/schema.ts'
import { memberLimit, transactionOf, type Ledger } from '../../money/index.ts'
import { addressBlock } from '../../platform/http/rateLimiter.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { newPasswordRule } from './breachedPasswords.ts'
import { accountKey, accountMatches } from './account.ts'
import type { Allowances } from './allowances.ts'
import { isIssuedCodeUsable, assertIssuedCodeUsable, consumeIssuedCode } from './issuedCodes.ts'
import { newOpeningCode, isOpeningCodeUsable, normalizeOpeningCode } from './openingCode.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import type { CheckedRegistration, RegisterTokens } from './registerToken.ts'
import { createKeyedMutex } from '../../platform/keyedMutex.ts'
import { passUnlessWork, type WorkChallenges } from './workChallenges.ts'

/**
 * How many registrations may wait for the one in progress from one address, behind which many people may be: fewer than an
 * address has calls in progress (64), so that logins find room beside them. The accounts take turns.
 */
const waitingMax = { queueMax: 48, ownMax: 5 }
/** How many of one account may wait, from other addresses. */
const waitingElsewhereMax = { queueMax: 5 }

export type RegistrationParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  ledger: Ledger
  passwords: Passwords
  phones: Phones
  phoneRules: readonly PhoneCountry[]
  /** The operator's name of the venue: no password has only its words. */
  venueName: string
  tokens: RegisterTokens
  works: WorkChallenges
  allowances: Pick<Allowances, 'registration'>
  /** The opening code of the settings, in practice mode; null in live mode. */
  openingCode: string | null
  /** The opening balance of an account in practice mode; null in live mode. */
  practiceBalance: Minor | null
  /** Sends the welcome message to a new member, inside the transaction that opens the account. */
  sendWelcome: (tx: DbTransaction, memberId: string) => Promise<unknown>
}

/** The fields of step 1, as parsed by the schema. */
export type RegisterFields = CheckedRegistration & {
  country?: string | undefined
  work?: WorkAnswer | undefined
}
export type NewPasswords = {
  registerToken: string
  password: string
  confirmPassword: string
  transactionPassword: string
  confirmTransactionPassword: string
}

/** Registration in two steps: `check` validates the fields, then `open` takes the passwords and opens the account. */
export type Registration = {
  /** Throws `WORK_REQUIRED` once the address has used up what it has free. */
  check(fields: RegisterFields, ip: string): Promise<{ registerToken: string; expiresAt: number }>
  /** Throws `RATE_LIMITED` if too many registrations from the address or of the account wait. */
  open(passwords: NewPasswords, ip: string): Promise<{ memberId: string; account: string }>
}

export function createRegistration(parts: RegistrationParts): Registration {
  const { db, clock, random, passwords, phones, phoneRules, tokens } = parts

  const inTurn = createTurns()

  const assertAvailable = async (checked: CheckedRegistration): Promise<void> => {
    const taken = await findTaken(parts, checked)
    if (taken === 'both') throw new ApiError('REGISTER_TOKEN_EXPIRED')
    assertNotTaken(taken)
  }

  /** The cheap checks come first: hashing is expensive, and an attack would aim at it. */
  const openAccount = async (
    checked: CheckedRegistration,
    newPasswords: NewPasswords,
  ): Promise<{ memberId: string; account: string }> => {
    await assertAvailable(checked)
    await assertIssuedCodeUsable(db, checked.openingCode)
    const [passwordHash, transactionPasswordHash] = await Promise.all([
      passwords.hash(newPasswords.password, 'unknown'),
      passwords.hash(newPasswords.transactionPassword, 'unknown'),
    ])
    const row = {
      id: random.uuid(),
      account: checked.account,
      nickname: checked.account,
      ...phones.encrypt(checked.phone),
      passwordHash,
      transactionPasswordHash,
      openingCode: newOpeningCode(random),
      openedWith: normalizeOpeningCode(checked.openingCode),
      createdAt: clock.now(),
    }
    try {
      await db.transaction((tx) => insertMember(parts, tx, row, checked.openingCode))
    } catch (error) {
      // The unique indexes decide a race. The winner is committed by now, so the check finds it.
      if (isUniqueViolation(error)) await assertAvailable(checked)
      throw error
    }
    return { memberId: row.id, account: checked.account }
  }

  return {
    check: async ({ country, work, ...form }, ip) => {
      const isFree = parts.allowances.registration(addressBlock(ip))
      await passUnlessWork(parts, isFree, { purpose: 'registration work', ip }, work)
      const rule = phoneCountryOf(phoneRules, country)
      if (!rule) throw new ApiError('VALIDATION', { fields: { country: 'INVALID' } })
      const fields: CheckedRegistration = { ...form, phone: canonicalPhone(rule, form.phone) }
      const isKnownCode =
        (await isOpeningCodeUsable(db, parts.openingCode, fields.openingCode)) ||
        (await isIssuedCodeUsable(db, normalizeOpeningCode(fields.openingCode)))
      if (!isKnownCode) throw new ApiError('OPENING_CODE_INVALID')
      assertNotTaken(await findTaken(parts, fields))
      return tokens.issue(fields)
    },
    open: async (newPasswords, ip) => {
      const checked = tokens.verify(newPasswords.registerToken)
      assertValidPasswords(newPasswords, checked, parts.venueName)
      if (!checked) throw new ApiError('REGISTER_TOKEN_EXPIRED')
      return inTurn(checked, ip, () => openAccount(checked, newPasswords))
    },
  }
}

/** One registration of an address, and of an account, at a time. */
function createTurns() {
  const oneOfAddress = createKeyedMutex(waitingMax)
  const oneOfAccount = createKeyedMutex(waitingElsewhereMax)
  return <T>({ account }: CheckedRegistration, ip: string, open: () => Promise<T>): Promise<T> => {
    const key = accountKey(account)
    // The address first, so that what waits for an account counts as waiting there too.
    return oneOfAddress(addressBlock(ip), () => oneOfAccount(key, open), key)
  }
}

async function insertMember(
  { ledger, practiceBalance, sendWelcome }: RegistrationParts,
  tx: DbTransaction,
  row: typeof member.$inferInsert,
  openingCode: string,
): Promise<void> {
  await consumeIssuedCode(tx, openingCode)
  await tx.insert(member).values(row)
  await applyExclusion(tx, row)
  await ledger.openBalance(tx, row.id)
  if (practiceBalance !== null) await ledger.post(tx, transactionOf('grant', row.id, practiceBalance))
  await sendWelcome(tx, row.id)
}

/** A member who set an exclusion and closed the account is excluded in the next one with the same phone. */
async function applyExclusion(
  tx: DbTransaction,
  { id, phoneHash }: typeof member.$inferInsert,
): Promise<void> {
  if (phoneHash === undefined || phoneHash === null) return
  const [kept] = await tx.delete(keptExclusion).where(eq(keptExclusion.phoneHash, phoneHash)).returning()
  if (!kept) return
  const { value, nextValue, nextAt } = kept
  await tx.insert(memberLimit).values({ memberId: id, field: 'excludedUntil', value, nextValue, nextAt })
}

/** The password rules that need the account and phone. All fields are checked, so that all errors are reported at once. */
function assertValidPasswords(
  newPasswords: NewPasswords,
  checked: CheckedRegistration | null,
  venueName: string,
): void {
  const fields = {
    password: newPasswordRule(newPasswords.password, { ...checked, venueName }),
    confirmPassword: passwordsMatch(newPasswords.password, newPasswords.confirmPassword),
    transactionPassword: transactionPasswordRule(newPasswords.transactionPassword),
    confirmTransactionPassword: transactionPasswordsMatch(
      newPasswords.transactionPassword,
      newPasswords.confirmTransactionPassword,
    ),
  }
  const fieldErrors = Object.entries(fields).filter(
    (field): field is [string, NonNullable<(typeof field)[1]>] => Boolean(field[1]),
  )
  if (fieldErrors.length > 0) throw new ApiError('VALIDATION', { fields: Object.fromEntries(fieldErrors) })
}

type Taken = 'both' | 'account' | 'phone' | null

/** Which of account and phone is taken; `both` means by one member, whom these same fields registered. */
async function findTaken(
  { db, phones }: RegistrationParts,
  { account, phone }: CheckedRegistration,
): Promise<Taken> {
  const phoneHash = phones.hash(phone)
  const sameAccount = accountMatches(account)
  const taken = await db
    .select({ phoneHash: member.phoneHash, hasAccount: sql<boolean>`${sameAccount}` })
    .from(member)
    .where(or(sameAccount, eq(member.phoneHash, phoneHash)))
  const accountOwner = taken.find(({ hasAccount }) => hasAccount)
  if (accountOwner) return accountOwner.phoneHash === phoneHash ? 'both' : 'account'
  return taken.length > 0 ? 'phone' : null
}

function assertNotTaken(taken: Taken): void {
  if (taken === null) return
  throw new ApiError(taken === 'phone' ? 'PHONE_TAKEN' : 'ACCOUNT_TAKEN')
}
