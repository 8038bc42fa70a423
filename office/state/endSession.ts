import { dismissToast } from '../../src/ui/toastStore.ts'
import { queryClient } from '../data/queryClient.ts'
import { csrfToken, setSession } from './staff.ts'

/** Leads to the log-in. What was read, and what could be undone, is forgotten: the next person is another one. */
export function endSession(): void {
  const wasLoggedIn = csrfToken() !== null
  setSession(null)
  if (!wasLoggedIn) return
  queryClient.clear()
  dismissToast()
}
