import * as z from 'zod/mini'
import { useSyncExternalStore } from 'react'
import { proxy, subscribe, useSnapshot } from 'valtio'
import { user, type User } from '../../contract/member.ts'
import type { LoginAnswer } from '../../contract/auth.ts'
import { venueConfig, type VenueConfig } from '../../contract/venueConfig.ts'
import { createEmitter } from '../lib/emitter.ts'
import { clearSessionStorage, readJson, removeKey, watchStorage, writeText } from './storage.ts'

const storageKey = 'session'
const storedVersion = 1

/** What step 1 of a registration stores for step 2. Never a password. */
const registerInfo = z.object({
  account: z.string(),
  phone: z.string(),
  /** Country of the number, if more than one is offered. */
  country: z.optional(z.string()),
  openingCode: z.string(),
  registerToken: z.string(),
  expiresAt: z.number(),
})
export type RegisterInfo = z.infer<typeof registerInfo>

/** The session state of the specification. `token` is worthless alone: it belongs to the session's cookie. */
export type Session = {
  token: string | null
  userInfo: User | null
  appInfo: VenueConfig | null
  registerInfo: RegisterInfo | null
}

const empty = (): Session => ({ token: null, userInfo: null, appInfo: null, registerInfo: null })

export const session = proxy<Session>(load())

/** Reads the stored session part by part: an invalid part is ignored, and the rest is used. */
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

/** Syncs the session with storage and other tabs. A tab's own data of a member is deleted when the session ends. */
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

const memberChange = createEmitter()
let memberChanges = 0
let lastMemberId = session.userInfo?.id
const noteMember = (): void => {
  const memberId = session.userInfo?.id ?? lastMemberId
  const isOther = lastMemberId !== undefined && memberId !== lastMemberId
  lastMemberId = memberId
  if (!isOther) return
  memberChanges += 1
  memberChange.emit()
}
subscribe(session, noteMember, true)

/**
 * Calls back as soon as another member takes the place of one, also if that happens in another tab or after a logout. A
 * login as the member before is no change.
 */
export const watchMemberChange = memberChange.subscribe

/** How often another member has taken the place of one since the page was loaded: a key of what belongs to one member. */
export const useMemberChanges = (): number =>
  useSyncExternalStore(memberChange.subscribe, () => memberChanges)

export function beginSession(answer: LoginAnswer): void {
  session.token = answer.token
  session.userInfo = answer.user
  session.registerInfo = null
}

/** Updates some fields of the member. */
export function patchUser(part: Partial<User>): void {
  if (session.userInfo) Object.assign(session.userInfo, part)
}

/** Logged out, by the member or by the venue. The venue's configuration stays. */
export function endSession(): void {
  session.token = null
  session.userInfo = null
}

/** Resets to an empty session, in storage too. */
export function resetSession(): void {
  Object.assign(session, empty())
  removeKey(storageKey)
}

export const isLoggedIn = (): boolean => session.token !== null
export const useSession = (): Session => useSnapshot(session) as Session
