import { queryClient } from '../data/queryClient.ts'
import { csrfToken, setSession } from './staff.ts'

/** Opens the login page. Cached data is discarded, because the next person may have another role. */
export function endSession(): void {
  const wasLoggedIn = csrfToken() !== null
  setSession(null)
  if (wasLoggedIn) queryClient.clear()
}
