import { dismissToast } from '../../src/ui/toastStore.ts'
import { queryClient } from '../data/queryClient.ts'
import { forgetSearch } from './place.ts'
import { csrfToken, setSession } from './staff.ts'

/** Opens the login page. Cached data and what could be undone are discarded, because the next person may have another role. */
export function endSession(): void {
  const wasLoggedIn = csrfToken() !== null
  setSession(null)
  if (!wasLoggedIn) return
  queryClient.clear()
  dismissToast()
  forgetSearch()
}
