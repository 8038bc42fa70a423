import { authRoutes, type MemberSession } from '../../../contract/auth.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'

const sessionsSource: ResourceSource<MemberSession[]> = {
  fetch: (call, signal) => call(authRoutes.sessions, {}, { signal }),
}

/** The devices that are logged in. */
export const useSessions = () => useResource(sessionsSource)
