import { preferences } from '../../state/preferences.ts'
import type { ToastInput } from '../../ui/index.ts'

/**
 * What this browser allows: `blocked` can only be undone in the browser's own settings. `insecure`: the page came over
 * plain HTTP, where browsers show none, and some say that the member blocked them.
 */
export type NotificationAccess = 'unsupported' | 'insecure' | 'blocked' | 'notAsked' | 'allowed'

export function notificationAccess(): NotificationAccess {
  if (!window.isSecureContext) return 'insecure'
  if (!('Notification' in globalThis)) return 'unsupported'
  const { permission } = Notification
  return permission === 'granted' ? 'allowed' : permission === 'denied' ? 'blocked' : 'notAsked'
}

/**
 * Asks for permission and shows a first notification, because some browsers (Chrome on Android) allow them only to
 * service workers. Call it from a tap. Returns what the browser allows.
 */
export async function askForNotifications(firstText: string): Promise<NotificationAccess> {
  if (notificationAccess() === 'notAsked') await Notification.requestPermission()
  const access = notificationAccess()
  if (access !== 'allowed') return access
  return show({ text: firstText }, 'uptick-first') ? 'allowed' : 'unsupported'
}

/** Whether the member turned on notifications about results while the tab is hidden, and the browser allows them. */
export const wantsHiddenResults = (): boolean =>
  preferences.hiddenResults && notificationAccess() === 'allowed'

/** Whether any tab of the app is visible. */
export async function isTabVisible(): Promise<boolean> {
  const held = (await navigator.locks.query()).held ?? []
  return held.some(({ name }) => name === visibleLock)
}

/** Shows how orders ended. `tag`: another one with the same replaces it. */
export const notify = (input: ToastInput, tag: string): void => void show(input, tag)

const visibleLock = 'uptick-visible-tab'

/** Announces to other tabs of the app that this one is visible, until the signal aborts. */
export function holdVisibleLock(signal: AbortSignal): void {
  if (!('locks' in navigator)) return
  const untilAborted = () =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  navigator.locks
    .request(visibleLock, { mode: 'shared', signal }, untilAborted)
    // Aborted before it was granted.
    .catch(() => undefined)
}

function show({ text, link }: Pick<ToastInput, 'text' | 'link'>, tag: string): boolean {
  try {
    const notification = new Notification(text, { tag, icon: '/icons/icon-192.png' })
    notification.addEventListener('click', () => {
      window.focus()
      if (link !== undefined) location.hash = link.href
      notification.close()
    })
    return true
  } catch {
    return false
  }
}
