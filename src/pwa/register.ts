import i18next from 'i18next'
import { backoffMs } from '../../contract/backoff.ts'
import { minuteMs } from '../../contract/time.ts'
import { currentLanguage } from '../text/i18n.ts'
import { runningScript } from '../start/runningScript.ts'
import { lazyStreams } from '../start/lazyStreams.ts'
import { trustedWorker } from '../lib/trustedWorker.ts'
import type { WorkerMessage } from './workerMessage.ts'
import { offerUpdate } from './updates.ts'

/** Any reconnect may mean that the venue was updated; updates are checked at most this often. */
const checkEveryMs = 5 * minuteMs
/** Pause after an installation that failed, doubled with each further one up to `checkEveryMs`. */
const retryInstallMs = 10_000

/**
 * Installs the worker that caches the app's files, once the first page is painted. Without service workers (plain HTTP
 * on a home network, a private window) the app runs as before.
 */
export async function startWorker(): Promise<void> {
  linkManifest()
  i18next.on('languageChanged', linkManifest)
  if (!('serviceWorker' in navigator)) return
  await idle()
  try {
    // Trusted Types require a policy here; TypeScript's types do not accept its result for `register`.
    const address = trustedWorker('/sw.js') as unknown as string
    watchForUpdates(await navigator.serviceWorker.register(address, { updateViaCache: 'none' }))
  } catch {
    return
  }
  const { active } = await navigator.serviceWorker.ready
  await idle()
  if (!active) return
  requestFill(active)
  void sendLanguage()
  i18next.on('languageChanged', () => void sendLanguage())
}

/** Activates the waiting worker and reloads; only called by a tap of the member. */
export async function applyUpdate(): Promise<void> {
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  postToWorker(waiting, { kind: 'activate' })
}

/** Removes the worker and its caches; the next visit installs it again. */
export async function removeWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    // The worker deletes them itself: a file that it is caching at this moment would make the cache again.
    if (registration?.active) await askWorker(registration.active, { kind: 'clear' })
    await registration?.unregister()
    // A worker that was still being installed did not get the message.
    for (const name of await caches.keys()) await caches.delete(name)
  } catch {
    // No worker here, so there is nothing to remove.
  }
}

/** The worker that is active then, not the first one: it owns the cache. */
async function sendLanguage(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  if (active) postToWorker(active, { kind: 'language', language: currentLanguage() })
}

/** The installed app and its shortcuts have names in the language shown at installation. */
function linkManifest(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
  if (link) link.href = `/manifest.${currentLanguage()}.webmanifest`
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const offer = (): void => {
    const { waiting } = registration
    if (waiting && navigator.serviceWorker.controller) void activateOrOffer(waiting)
  }
  let failures = 0
  const retry = (): void => {
    failures += 1
    const update = (): void => void registration.update().catch(() => undefined)
    setTimeout(update, backoffMs(failures, retryInstallMs, checkEveryMs))
  }
  const watch = (): void => {
    if (registration.installing) watchInstallation(registration.installing, offer, retry)
  }
  offer()
  watch()
  registration.addEventListener('updatefound', watch)
  // The browser checks too, but only later; this page may be newer than the cached build.
  if (registration.active) registration.update().catch(() => undefined)
  let checkedAt = performance.now()
  const check = (): void => {
    if (document.hidden || performance.now() - checkedAt < checkEveryMs) return
    checkedAt = performance.now()
    registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', check)
  void onReconnect(check)
}

/** One failed request fails an installation, and the browser itself tries again only at another visit. */
function watchInstallation(worker: ServiceWorker, onInstalled: () => void, onFailed: () => void): void {
  const onChange = (): void => {
    if (worker.state === 'installed') onInstalled()
    else if (worker.state === 'redundant') onFailed()
    // The later states are of an installed worker.
    worker.removeEventListener('statechange', onChange)
  }
  worker.addEventListener('statechange', onChange)
}

async function onReconnect(onOnline: () => void): Promise<void> {
  const streams = await lazyStreams.get()
  if (!streams.ok) return
  streams.value.connection$.subscribe(({ state }) => {
    if (state === 'online') onOnline()
  })
}

/** If the page already runs the waiting build, activates it without asking. */
async function activateOrOffer(waiting: ServiceWorker): Promise<void> {
  if (await askWorker(waiting, { kind: 'serves', script: runningScript() ?? '' }))
    postToWorker(waiting, { kind: 'activate' })
  else offerUpdate()
}

/** Requests caching of the rest of the app, unless the member saves data. */
function requestFill(worker: ServiceWorker): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData === true) return
  const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  postToWorker(worker, { kind: 'fill', used })
}

/** Posts a message that the worker answers with a boolean. */
function askWorker(worker: ServiceWorker, message: WorkerMessage): Promise<boolean> {
  const channel = new MessageChannel()
  const answer = new Promise<boolean>((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data === true)
  })
  postToWorker(worker, message, [channel.port2])
  return answer
}

const postToWorker = (worker: ServiceWorker, message: WorkerMessage, ports: Transferable[] = []): void =>
  worker.postMessage(message, ports)

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    const whenIdle = (): void => {
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve())
      else setTimeout(resolve)
    }
    if (document.readyState === 'complete') whenIdle()
    else addEventListener('load', whenIdle, { once: true })
  })
