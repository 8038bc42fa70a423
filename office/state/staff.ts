import { proxy, useSnapshot } from 'valtio'
import type { StaffSession } from '../../contract/office/staff.ts'

/** `loading` until the venue said whether this browser has a session. */
type StaffState = { session: StaffSession | null; isLoading: boolean }

const state = proxy<StaffState>({ session: null, isLoading: true })

export function setSession(session: StaffSession | null): void {
  state.session = session
  state.isLoading = false
}

export const csrfToken = (): string | null => state.session?.csrfToken ?? null
export const useStaff = (): StaffState => useSnapshot(state) as StaffState

/** The session of a component below the login. */
export function useSession(): StaffSession {
  const { session } = useStaff()
  if (session === null) throw new Error('nobody is logged in')
  return session
}

/** Whether the role may make a call, named as `<noun>.<verb>`: a control without its call is not shown. */
export function useMay(): (call: string) => boolean {
  const { session } = useStaff()
  return (call) => session?.calls.includes(call) ?? false
}
