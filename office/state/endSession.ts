import { queryClient } from '../data/queryClient.ts'
import { csrfToken, setSession } from './staff.ts'

/** Leads to the log-in. What was read is forgotten: the next person may have another role. */
export function endSession(): void {
  const wasLoggedIn = csrfToken() !== null
  setSession(null)
  if (wasLoggedIn) queryClient.clear()
}
