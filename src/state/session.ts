import * as z from 'zod/mini'
import { proxy, subscribe, useSnapshot } from 'valtio'
import { user } from '../../contract/session.ts'
import type { LoginAnswer, User } from '../../contract/session.ts'
import { venueConfig } from '../../contract/venueConfig.ts'
import type { VenueConfig } from '../../contract/venueConfig.ts'
import { clearSessionStorage, readJson, removeKey, watchStorage, writeText } from './storage.ts'

const storageKey = 'session'
const storedVersion = 1

/** What step 1 of a registration leaves for step 2. Never a password. */
const registerInfo = z.object({
  account: z.string(),
  phone: z.string(),
  /** Whose number it is, where more than one country is offered. */
  country: z.optional(z.string()),
  openingCode: z.string(),
  registerToken: z.string(),
  expiresAt: z.number(),
})
export type RegisterInfo = z.infer<typeof registerInfo>

/** The session state of the specification. `token` proves nothing alone: it belongs to the session's cookie. */
export type Session = {
  token: string | null
  userInfo: User | null
  appInfo: VenueConfig | null
  registerInfo: RegisterInfo | null
}

const empty = (): Session => ({ token: null, userInfo: null, appInfo: null, registerInfo: null })

export const session = proxy<Session>(load())

/** Reads what is stored, part by part: a part that does not fit is left out, and the rest still counts. */
function load(): Session {
  const stored = readJson(storageKey)
  if (typeof stored !== 'object' || stored === null || !('v' in stored) || stored.v !== storedVersion)
    return empty()
  const part = <T>(schema: z.ZodMiniType<T>, name: string): T | null => {
    const parsed = z.safeParse(schema, (stored as Record<string, unknown>)[name])
    return parsed.success ? parsed.data : null
  }
  const userInfo = part(user, 'userInfo')
  return {
    token: userInfo && part(z.string().check(z.minLength(1)), 'token'),
    userInfo,
    appInfo: part(venueConfig, 'appInfo'),
    registerInfo: part(registerInfo, 'registerInfo'),
  }
}

/** Keeps storage in step with the session, and the session with other tabs. What a tab keeps of a member goes with it. */
export function persistSession(): () => void {
  const save = (): void => {
    writeText(storageKey, JSON.stringify({ v: storedVersion, ...session }))
    if (session.token === null) clearSessionStorage()
  }
  const unsubscribe = subscribe(session, save)
  const unwatch = watchStorage([storageKey], () => Object.assign(session, load()))
  return () => {
    unsubscribe()
    unwatch()
  }
}

export function beginSession(answer: LoginAnswer): void {
  session.token = answer.token
  session.userInfo = answer.user
  session.registerInfo = null
}

/** What a page learned about the member: the rest of what is known stands. */
export function patchUser(part: Partial<User>): void {
  if (session.userInfo) Object.assign(session.userInfo, part)
}

/** Logged out, or told so by the venue. What the app knows of the venue itself stays. */
export function endSession(): void {
  session.token = null
  session.userInfo = null
}

/** Back to an empty session, in storage too. */
export function resetSession(): void {
  Object.assign(session, empty())
  removeKey(storageKey)
}

export const isLoggedIn = (): boolean => session.token !== null
export const useSession = (): Session => useSnapshot(session) as Session
