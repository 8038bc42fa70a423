import { eq, or, sql } from 'drizzle-orm'
import type { Minor } from '../../contract/brand.ts'
import { phoneCountryOf, canonicalPhone } from '../../contract/phones.ts'
import type { PhoneCountry } from '../../contract/phones.ts'
import {
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../contract/rules.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { member } from '../db/schema/member.ts'
import { addressBlock } from '../http/rateLimiter.ts'
import { ApiError } from '../apiError.ts'
import { practiceGrant } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock, Random } from '../ports.ts'
import { accountKey, accountMatches } from './account.ts'
import { isIssuedCodeUsable, assertIssuedCodeUsable, consumeIssuedCode } from './issuedCodes.ts'
import { newOpeningCode, isOpeningCodeUsable, normalizeOpeningCode } from './openingCode.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import type { CheckedRegistration, RegisterTokens } from './registerToken.ts'
import { createKeyedMutex } from './keyedMutex.ts'

/** Registrations from one address that may wait for the one before. */
const waitingMax = 5

export type RegistrationParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  ledger: Ledger
  passwords: Passwords
  phones: Phones
  phoneRules: readonly PhoneCountry[]
  tokens: RegisterTokens
  /** The setting that opens accounts in practice mode; null in live mode. */
  openingCode: string | null
  /** Practice money that opens an account; null in live mode. */
  practiceBalance: Minor | null
  /** Greets a new member, inside the transaction that opens the account. */
  sendWelcome?: ((tx: DbTransaction, memberId: string) => Promise<unknown>) | undefined
}

/** What step 1 asks for, as its schema read it. */
export type RegisterFields = CheckedRegistration & { country?: string | undefined }
export type NewPasswords = {
  registerToken: string
  password: string
  confirmPassword: string
  transactionPassword: string
  confirmTransactionPassword: string
}

/** Registration in two steps: the fields are checked, then the passwords open the account. */
export type Registration = {
  check(fields: RegisterFields): Promise<{ registerToken: string; expiresAt: number }>
  /** Throws 429 `RATE_LIMITED` if too many from the address, or of the same account, wait. */
  open(passwords: NewPasswords, ip: string): Promise<{ memberId: string; account: string }>
}

export function createRegistration(parts: RegistrationParts): Registration {
  const { db, clock, random, ledger, passwords, phones, phoneRules, tokens, practiceBalance } = parts

  /** One registration of an address, and of an account, at a time. */
  const runExclusive = createKeyedMutex(waitingMax)

  /** Which of the two another member has; one member who has both is who these fields opened. */
  const findTaken = async ({ account, phone }: CheckedRegistration): Promise<Taken> => {
    const phoneHash = phones.hash(phone)
    const sameAccount = accountMatches(account)
    const taken = await db
      .select({ phoneHash: member.phoneHash, same: sql<boolean>`${sameAccount}` })
      .from(member)
      .where(or(sameAccount, eq(member.phoneHash, phoneHash)))
    const named = taken.find(({ same }) => same)
    if (named) return named.phoneHash === phoneHash ? 'both' : 'account'
    return taken.length > 0 ? 'phone' : null
  }

  const assertAvailable = async (checked: CheckedRegistration): Promise<void> => {
    const taken = await findTaken(checked)
    if (taken === 'both') throw new ApiError(422, 'REGISTER_TOKEN_EXPIRED')
    assertNotTaken(taken)
  }

  /** What can be refused without a hash is refused first: hashes are what an attack would have the venue spend. */
  const openAccount = async (
    checked: CheckedRegistration,
    given: NewPasswords,
  ): Promise<{ memberId: string; account: string }> => {
    await assertAvailable(checked)
    await assertIssuedCodeUsable(db, checked.openingCode)
    const [passwordHash, transactionPasswordHash] = await Promise.all([
      passwords.hash(given.password, 'stranger'),
      passwords.hash(given.transactionPassword, 'stranger'),
    ])
    const id = random.uuid()
    const row = {
      id,
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
      await db.transaction(async (tx) => {
        await consumeIssuedCode(tx, checked.openingCode)
        await tx.insert(member).values(row)
        await ledger.openBalance(tx, id)
        if (practiceBalance !== null) await ledger.post(tx, practiceGrant(id, practiceBalance))
        await parts.sendWelcome?.(tx, id)
      })
    } catch (error) {
      // Two that raced are decided by the unique indexes; by now the other one can be seen.
      if (isUniqueViolation(error)) await assertAvailable(checked)
      throw error
    }
    return { memberId: id, account: checked.account }
  }

  return {
    check: async ({ country, ...given }) => {
      const rule = phoneCountryOf(phoneRules, country)
      if (!rule) throw new ApiError(400, 'VALIDATION', { fields: { country: 'INVALID' } })
      const fields: CheckedRegistration = { ...given, phone: canonicalPhone(rule, given.phone) }
      const isKnownCode =
        (await isOpeningCodeUsable(db, parts.openingCode, fields.openingCode)) ||
        (await isIssuedCodeUsable(db, normalizeOpeningCode(fields.openingCode)))
      if (!isKnownCode) {
        throw new ApiError(422, 'OPENING_CODE_INVALID')
      }
      assertNotTaken(await findTaken(fields))
      return tokens.issue(fields)
    },
    open: async (given, ip) => {
      const checked = tokens.verify(given.registerToken)
      assertValidPasswords(given, checked)
      if (!checked) throw new ApiError(422, 'REGISTER_TOKEN_EXPIRED')
      return runExclusive(`address ${addressBlock(ip)}`, () =>
        runExclusive(`account ${accountKey(checked.account)}`, () => openAccount(checked, given)),
      )
    },
  }
}

/** The password rules that need the account and phone; both pairs are judged, so that all faults show at once. */
function assertValidPasswords(given: NewPasswords, checked: CheckedRegistration | null): void {
  const fields = {
    password: passwordRule(given.password, checked ?? {}),
    confirmPassword: passwordsMatch(given.password, given.confirmPassword),
    transactionPassword: transactionPasswordRule(given.transactionPassword),
    confirmTransactionPassword: transactionPasswordsMatch(
      given.transactionPassword,
      given.confirmTransactionPassword,
    ),
  }
  const fieldErrors = Object.entries(fields).filter(
    (field): field is [string, NonNullable<(typeof field)[1]>] => Boolean(field[1]),
  )
  if (fieldErrors.length > 0)
    throw new ApiError(400, 'VALIDATION', { fields: Object.fromEntries(fieldErrors) })
}

type Taken = 'both' | 'account' | 'phone' | null

function assertNotTaken(taken: Taken): void {
  if (taken === null) return
  throw new ApiError(409, taken === 'phone' ? 'PHONE_TAKEN' : 'ACCOUNT_TAKEN')
}
