import { eq } from 'drizzle-orm'
import type { Language } from '../../../contract/constants.ts'
import type { User } from '../../../contract/member.ts'
import type { Confirmed } from '../../../contract/passkeys.ts'
import { emailRule } from '../../../contract/rules.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import { member, type MemberRow } from '../../platform/db/schema.ts'
import type { Messages } from '../../notices/index.ts'
import type { Principal } from '../../platform/ports.ts'
import type { Confirmations, PartyOfRequest } from '../../platform/http/confirmations.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './user.ts'

export type ProfilePatch = {
  nickname?: string | undefined
  contactEmail?: string | null | undefined
} & Confirmed

export type Profiles = {
  view: (memberId: string) => Promise<User>
  /** Like `view`, when the app starts: its language is kept for what the office writes. */
  start(memberId: string, language: Language): Promise<User>
  /**
   * A new contact address is confirmed, ends the other sessions and sends a message. Throws `VALIDATION`, and for an address
   * what `Confirmations.security` does.
   */
  update(principal: Principal, patch: ProfilePatch, party: PartyOfRequest): Promise<User>
}

export type ProfilesParts = {
  db: Db
  users: Users
  messages: Pick<Messages, 'send'>
  sessions: Pick<Sessions, 'endAll'>
  confirmations: Pick<Confirmations, 'security'>
}

/** The page on which a member sees the address. */
const link = 'pages/set/set'

export function createProfiles(parts: ProfilesParts): Profiles {
  const { db, users, messages, sessions, confirmations } = parts
  const read = async (memberId: string): Promise<MemberRow> => {
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    if (!row) throw new Error('The session has no member.')
    return row
  }
  const view = async (memberId: string): Promise<User> => users.view(await read(memberId))
  return {
    view,
    start: async (memberId, language) => {
      const row = await read(memberId)
      if (row.language !== language) await db.update(member).set({ language }).where(eq(member.id, memberId))
      return users.view(row)
    },
    update: async ({ memberId, sessionId }, { password, passkey, ...patch }, party) => {
      const { nickname, contactEmail } = checked(patch)
      const isNewAddress = contactEmail !== undefined && contactEmail !== (await view(memberId)).contactEmail
      if (isNewAddress) {
        if ((password === undefined) === (passkey === undefined))
          throw new ApiError('VALIDATION', { fields: { password: 'REQUIRED' } })
        await confirmations.security(memberId, { password, passkey }, party)
      }
      const values = {
        ...(nickname !== undefined && { nickname }),
        ...(isNewAddress && { contactEmailSealed: users.encryptEmail(memberId, contactEmail) }),
      }
      if (Object.keys(values).length === 0) return view(memberId)
      const afterCommit = await db.transaction(async (tx) => {
        await tx.update(member).set(values).where(eq(member.id, memberId))
        if (!isNewAddress) return []
        const message = { memberId, key: 'contactAddressChanged', params: {}, link } as const
        return [await messages.send(tx, message), await sessions.endAll(tx, memberId, sessionId)]
      })
      for (const run of afterCommit) run()
      return view(memberId)
    },
  }
}

/** An empty email address removes the address. */
function checked({ nickname, contactEmail }: Omit<ProfilePatch, 'password' | 'passkey'>) {
  const emailError = emailRule(contactEmail ?? '')
  if (emailError) throw new ApiError('VALIDATION', { fields: { contactEmail: emailError } })
  if (nickname !== undefined && nickname.trim() === '') {
    throw new ApiError('VALIDATION', { fields: { nickname: 'REQUIRED' } })
  }
  return { nickname: nickname?.trim(), contactEmail: contactEmail === '' ? null : contactEmail }
}
