import { staffSessionRoutes } from '../../contract/office/staff.ts'
import { useAction } from '../../src/hooks/useAction.ts'
import type { Failure } from '../../streams/index.ts'
import { call } from '../api.ts'
import { forgetDrafts } from '../state/drafts.ts'
import { endSession } from '../state/endSession.ts'

/** Ends the session at the venue. If that fails it goes on, and the person must know: a reload would show all again. */
export function useLogOut() {
  const [logOut, busy, failure] = useAction<[], Failure>(async () => {
    const result = await call(staffSessionRoutes.logOut, {})
    if (!result.ok) return result.failure
    forgetDrafts()
    return endSession()
  })
  return { logOut, busy, failure }
}
