import { eq } from 'drizzle-orm'
import type { Minor } from '../../contract/brand.ts'
import type { PhoneCountry } from '../../contract/phones.ts'
import { emailRule } from '../../contract/rules.ts'
import type { User } from '../../contract/member.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { ApiError } from '../apiError.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock, Random } from '../ports.ts'
import { createLoginAttempts } from './loginAttempts.ts'
import { createCaptchas } from './captcha.ts'
import type { Captchas } from './captcha.ts'
import { createKnownDevices } from './knownDevices.ts'
import type { KnownDevices } from './knownDevices.ts'
import { createLogIn } from './login.ts'
import type { LogIn } from './login.ts'
import type { Passwords } from './passwords.ts'
import { createPhones } from './phone.ts'
import { createRegistration } from './registration.ts'
import type { Registration, RegistrationParts } from './registration.ts'
import { createRegisterTokens } from './registerToken.ts'
import type { Sessions } from './sessions.ts'
import { createUsers } from './user.ts'
import type { Users } from './user.ts'

export type MembersParts = {
  db: Db
  clock: Clock
  random: Random
  ledger: Ledger
  sessions: Sessions
  passwords: Passwords
  /** Stored outside the database; the key for each purpose is derived from it. */
  secret: Uint8Array
  settings: {
    openingCode: string | null
    practiceBalance: Minor | null
    phoneRules: readonly PhoneCountry[]
    /** Whether failed log-ins make other unknown devices at the same address wait. */
    rateLimits: boolean
  }
  sendWelcome?: RegistrationParts['sendWelcome']
}

/** Registration, log-in and the profile of members. */
export type Members = {
  registration: Registration
  /** The countries whose phone numbers open accounts. */
  phoneRules: readonly PhoneCountry[]
  logIn: LogIn
  captchas: Captchas
  devices: KnownDevices
  passwords: Passwords
  sessions: Sessions
  user(memberId: string): Promise<User>
  updateProfile(memberId: string, patch: ProfilePatch): Promise<User>
}
type ProfilePatch = { nickname?: string | undefined; contactEmail?: string | null | undefined }

export function createMembers(parts: MembersParts): Members {
  const { db, clock, random, ledger, sessions, passwords, secret, settings } = parts
  const captchas = createCaptchas(clock, random)
  const attempts = createLoginAttempts(clock, settings.rateLimits)
  const devices = createKnownDevices(secret, clock, random)
  const phones = createPhones(secret, random)
  const tokens = createRegisterTokens(secret, clock)
  const users = createUsers(secret, random)
  const user = async (memberId: string): Promise<User> => {
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    return row ? users.view(row) : missing()
  }
  return {
    registration: createRegistration({
      db,
      clock,
      random,
      ledger,
      passwords,
      phones,
      tokens,
      sendWelcome: parts.sendWelcome,
      ...settings,
    }),
    logIn: createLogIn({ db, passwords, attempts, captchas, devices, sessions, users }),
    phoneRules: settings.phoneRules,
    captchas,
    devices,
    passwords,
    sessions,
    user,
    updateProfile: async (memberId, patch) => {
      const values = profileColumns(users, memberId, patch)
      if (Object.keys(values).length === 0) return user(memberId)
      const [row] = await db.update(member).set(values).where(eq(member.id, memberId)).returning()
      return row ? users.view(row) : missing()
    },
  }
}

/** The columns that a patch changes. An empty e-mail address removes the address. */
function profileColumns(
  users: Users,
  memberId: string,
  { nickname, contactEmail }: ProfilePatch,
): { nickname?: string; contactEmailSealed?: Uint8Array | null } {
  const emailError = emailRule(contactEmail ?? '')
  if (emailError) throw new ApiError(400, 'VALIDATION', { fields: { contactEmail: emailError } })
  if (nickname !== undefined && nickname.trim() === '') {
    throw new ApiError(400, 'VALIDATION', { fields: { nickname: 'REQUIRED' } })
  }
  return {
    ...(nickname !== undefined && { nickname: nickname.trim() }),
    ...(contactEmail !== undefined && {
      contactEmailSealed: users.encryptEmail(memberId, contactEmail === '' ? null : contactEmail),
    }),
  }
}

function missing(): never {
  throw new Error('The session has no member.')
}
