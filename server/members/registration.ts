import { eq, or, sql } from 'drizzle-orm'
import type { Minor } from '../../contract/brand.ts'
import { phoneCountryOf, phoneKey } from '../../contract/phones.ts'
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
import { addressBlock } from '../http/limits.ts'
import { Refusal } from '../http/refusal.ts'
import { practiceGrant } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock, Random } from '../ports.ts'
import { accountKey, isAccount } from './account.ts'
import { issuedCodeWorks, refuseSpentCode, useIssuedCode } from './issuedCodes.ts'
import { newOpeningCode, openingCodeWorks, readOpeningCode } from './openingCode.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import type { Checked, RegisterTokens } from './registerToken.ts'
import { createTurns } from './turns.ts'

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
  greet?: ((tx: DbTransaction, memberId: string) => Promise<unknown>) | undefined
}

/** What step 1 asks for, as its schema read it. */
export type RegisterFields = Checked & { country?: string | undefined }
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
  const inTurn = createTurns(waitingMax)

  /** Which of the two another member has; one member who has both is who these fields opened. */
  const takenOf = async ({ account, phone }: Checked): Promise<Taken> => {
    const phoneHash = phones.hash(phone)
    const sameAccount = isAccount(account)
    const taken = await db
      .select({ phoneHash: member.phoneHash, same: sql<boolean>`${sameAccount}` })
      .from(member)
      .where(or(sameAccount, eq(member.phoneHash, phoneHash)))
    const named = taken.find(({ same }) => same)
    if (named) return named.phoneHash === phoneHash ? 'both' : 'account'
    return taken.length > 0 ? 'phone' : null
  }

  const refuseUsed = async (checked: Checked): Promise<void> => {
    const taken = await takenOf(checked)
    if (taken === 'both') throw new Refusal(422, 'REGISTER_TOKEN_EXPIRED')
    refuseTaken(taken)
  }

  /** What can be refused without a hash is refused first: hashes are what an attack would have the venue spend. */
  const openAccount = async (
    checked: Checked,
    given: NewPasswords,
  ): Promise<{ memberId: string; account: string }> => {
    await refuseUsed(checked)
    await refuseSpentCode(db, checked.openingCode)
    const [passwordHash, transactionPasswordHash] = await Promise.all([
      passwords.hash(given.password, 'stranger'),
      passwords.hash(given.transactionPassword, 'stranger'),
    ])
    const id = random.uuid()
    const row = {
      id,
      account: checked.account,
      nickname: checked.account,
      ...phones.store(checked.phone),
      passwordHash,
      transactionPasswordHash,
      openingCode: newOpeningCode(random),
      openedWith: readOpeningCode(checked.openingCode),
      createdAt: clock.now(),
    }
    try {
      await db.transaction(async (tx) => {
        await useIssuedCode(tx, checked.openingCode)
        await tx.insert(member).values(row)
        await ledger.open(tx, id)
        if (practiceBalance !== null) await ledger.post(tx, practiceGrant(id, practiceBalance))
        await parts.greet?.(tx, id)
      })
    } catch (error) {
      // Two that raced are decided by the unique indexes; by now the other one can be seen.
      if (isUniqueViolation(error)) await refuseUsed(checked)
      throw error
    }
    return { memberId: id, account: checked.account }
  }

  return {
    check: async ({ country, ...given }) => {
      const rule = phoneCountryOf(phoneRules, country)
      if (!rule) throw new Refusal(400, 'VALIDATION', { fields: { country: 'INVALID' } })
      const fields: Checked = { ...given, phone: phoneKey(rule, given.phone) }
      const known =
        (await openingCodeWorks(db, parts.openingCode, fields.openingCode)) ||
        (await issuedCodeWorks(db, readOpeningCode(fields.openingCode)))
      if (!known) {
        throw new Refusal(422, 'OPENING_CODE_INVALID')
      }
      refuseTaken(await takenOf(fields))
      return tokens.issue(fields)
    },
    open: async (given, ip) => {
      const checked = tokens.read(given.registerToken)
      refuseWeak(given, checked)
      if (!checked) throw new Refusal(422, 'REGISTER_TOKEN_EXPIRED')
      return inTurn(`address ${addressBlock(ip)}`, () =>
        inTurn(`account ${accountKey(checked.account)}`, () => openAccount(checked, given)),
      )
    },
  }
}

/** The password rules that need the account and phone; both pairs are judged, so that all faults show at once. */
function refuseWeak(given: NewPasswords, checked: Checked | null): void {
  const fields = {
    password: passwordRule(given.password, checked ?? {}),
    confirmPassword: passwordsMatch(given.password, given.confirmPassword),
    transactionPassword: transactionPasswordRule(given.transactionPassword),
    confirmTransactionPassword: transactionPasswordsMatch(
      given.transactionPassword,
      given.confirmTransactionPassword,
    ),
  }
  const faults = Object.entries(fields).filter((field): field is [string, NonNullable<(typeof field)[1]>] =>
    Boolean(field[1]),
  )
  if (faults.length > 0) throw new Refusal(400, 'VALIDATION', { fields: Object.fromEntries(faults) })
}

type Taken = 'both' | 'account' | 'phone' | null

function refuseTaken(taken: Taken): void {
  if (taken === null) return
  throw new Refusal(409, taken === 'phone' ? 'PHONE_TAKEN' : 'ACCOUNT_TAKEN')
}
