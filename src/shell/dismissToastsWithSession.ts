import { subscribeKey } from 'valtio/utils'
import { session } from '../state/session.ts'
import { dismissToast } from '../ui/toastStore.ts'

/**
 * Removes the toasts when a session begins or ends: what was said before a login is done with, and who uses the device after
 * a logout must not read how a member's orders ended. At once, so that what is said about the logout itself stays.
 */
export const dismissToastsWithSession = (): (() => void) =>
  subscribeKey(session, 'token', () => dismissToast(), true)
