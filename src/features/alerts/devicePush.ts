import type { PushSubscriptionBody } from '../../../contract/push.ts'

/**
 * Whether this browser can show notifications. `insecure`: the page came over plain HTTP. `notInstalled`: on an iPhone or
 * iPad only the installed app can. `unsupported`: the browser cannot, or keeps no worker (a private window).
 * `denied`: the member has refused them in the browser's settings.
 */
export type PushSupport = 'ready' | 'insecure' | 'notInstalled' | 'unsupported' | 'denied'

/** What of the browser decides it. */
export type PushEnvironment = {
  isSecure: boolean
  isApplePhone: boolean
  isInstalled: boolean
  hasApis: boolean
  permission: NotificationPermission | undefined
}

export function supportIn({
  isSecure,
  isApplePhone,
  isInstalled,
  hasApis,
  permission,
}: PushEnvironment): PushSupport {
  if (!isSecure) return 'insecure'
  if (isApplePhone && !isInstalled) return 'notInstalled'
  if (!hasApis) return 'unsupported'
  return permission === 'denied' ? 'denied' : 'ready'
}

export function pushSupport(): PushSupport {
  const { userAgent, maxTouchPoints } = navigator
  return supportIn({
    isSecure: window.isSecureContext,
    // An iPad says that it is a Mac, which has no touch screen.
    isApplePhone: /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1),
    isInstalled: matchMedia('(display-mode: standalone)').matches,
    hasApis: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    permission: 'Notification' in window ? Notification.permission : undefined,
  })
}

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker.getRegistration()

/** Whether the browser has a subscription, whichever member was logged in. */
export async function hasSubscription(): Promise<boolean> {
  if (pushSupport() !== 'ready') return false
  const subscription = await (await registration())?.pushManager.getSubscription()
  return subscription !== null && subscription !== undefined
}

/**
 * Asks the member and subscribes the browser with the venue's key; call it from a tap.
 * @returns null if the member refuses, or the browser cannot reach its push service
 */
export async function subscribeDevice(publicKey: string): Promise<PushSubscriptionBody | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const manager = (await registration())?.pushManager
  if (!manager) return null
  // One with another venue's key cannot be used.
  await (await manager.getSubscription())?.unsubscribe()
  try {
    const options = { userVisibleOnly: true, applicationServerKey: publicKey }
    const { endpoint, keys } = (await manager.subscribe(options)).toJSON()
    const { p256dh, auth } = keys ?? {}
    return endpoint === undefined || p256dh === undefined || auth === undefined
      ? null
      : { endpoint, keys: { p256dh, auth } }
  } catch {
    return null
  }
}

export async function unsubscribeDevice(): Promise<void> {
  await (await (await registration())?.pushManager.getSubscription())?.unsubscribe()
}
