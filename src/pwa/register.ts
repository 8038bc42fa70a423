import i18next from 'i18next'
import { currentLanguage } from '../i18n.ts'
import { runningScript } from '../shell/runningScript.ts'
import { streamsResource } from '../streamsResource.ts'
import type { WorkerMessage } from './workerMessage.ts'
import { offerUpdate } from './updates.ts'

/** The venue may have been updated behind any reconnect; more often than this nobody needs to know. */
const checkEveryMs = 5 * 60_000

/**
 * Installs the worker that keeps the app's own files, once the first page is painted. Where there is none to have
 * (plain HTTP on a home network, a private window) the app runs as it did.
 */
export async function startWorker(): Promise<void> {
  nameInLanguage()
  i18next.on('languageChanged', nameInLanguage)
  if (!('serviceWorker' in navigator)) return
  await idle()
  try {
    // Trusted Types want a policy for this; TypeScript does not know that its product is taken.
    const address = workerAddress() as unknown as string
    watchForUpdates(await navigator.serviceWorker.register(address, { updateViaCache: 'none' }))
  } catch {
    return
  }
  const { active } = await navigator.serviceWorker.ready
  await idle()
  if (active) requestFill(active)
}

/** Asks the waiting worker to take over and reloads; only ever called by a tap of the member's. */
export async function applyUpdate(): Promise<void> {
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  postToWorker(waiting, { kind: 'activate' })
}

/** Gives up the worker and all it keeps; the next visit starts anew. */
export async function removeWorker(): Promise<void> {
  try {
    const names = await caches.keys()
    await Promise.all(names.map((name) => caches.delete(name)))
    await (await navigator.serviceWorker.getRegistration())?.unregister()
  } catch {
    // No worker here, so there is nothing to give up.
  }
}

/** The installed app and its shortcuts are named in the language shown when it is installed. */
function nameInLanguage(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
  if (link) link.href = `/manifest.${currentLanguage()}.webmanifest`
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const offer = (): void => {
    const { waiting } = registration
    if (waiting && navigator.serviceWorker.controller) void activateOrOffer(waiting)
  }
  const watch = (): void => registration.installing?.addEventListener('statechange', offer)
  offer()
  watch()
  registration.addEventListener('updatefound', watch)
  // The browser looks by itself too, but in its own time; this page may be newer than what is kept.
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

async function onReconnect(onOnline: () => void): Promise<void> {
  const streams = await streamsResource.get()
  if (!streams.ok) return
  streams.value.connection$.subscribe(({ state }) => {
    if (state === 'online') onOnline()
  })
}

/** A page that came fresh from the venue may be of the waiting build already: then there is nothing to ask. */
async function activateOrOffer(waiting: ServiceWorker): Promise<void> {
  const channel = new MessageChannel()
  const answer = new Promise<boolean>((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data === true)
  })
  postToWorker(waiting, { kind: 'serves', script: runningScript() ?? '' }, [channel.port2])
  if (await answer) postToWorker(waiting, { kind: 'activate' })
  else offerUpdate()
}

/** Has the rest of the app kept while nothing else is to do; not where the member pays for every byte. */
function requestFill(worker: ServiceWorker): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData === true) return
  const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  postToWorker(worker, { kind: 'fill', used })
}

const postToWorker = (worker: ServiceWorker, what: WorkerMessage, ports: Transferable[] = []): void =>
  worker.postMessage(what, ports)

function workerAddress(): string | object {
  const path = '/sw.js'
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (!trustedTypes) return path
  const policy = trustedTypes.createPolicy('worker', {
    createScriptURL: (asked) => {
      if (asked !== path) throw new TypeError('no script of ours')
      return asked
    },
  })
  return policy.createScriptURL(path)
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (asked: string) => string },
  ) => { createScriptURL: (asked: string) => object }
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    const rest = (): void => {
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve())
      else setTimeout(resolve)
    }
    if (document.readyState === 'complete') rest()
    else addEventListener('load', rest, { once: true })
  })
