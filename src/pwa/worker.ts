import { strategyOf, pathsToCache, type BuildFiles } from './cacheStrategy.ts'
import { notificationOf, type NotificationTexts } from './notification.ts'
import type { WorkerMessage } from './workerMessage.ts'

/** Defined by the build. */
declare const __BUILD__: BuildFiles
const build = __BUILD__
/** By language; defined by the build. */
declare const __TEXTS__: Readonly<Record<string, NotificationTexts>>

/** The service worker types used here; the project's TypeScript libraries are those of a page. */
type ExtendableWorkerEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
type FetchWorkerEvent = ExtendableWorkerEvent & {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}
type PushWorkerEvent = ExtendableWorkerEvent & { data: { json: () => unknown } | null }
type NotificationWorkerEvent = ExtendableWorkerEvent & { notification: Notification }
type WindowOfApp = { navigate: (url: string) => Promise<unknown>; focus: () => Promise<unknown> }
type WorkerScope = {
  location: Location
  registration: ServiceWorkerRegistration
  clients: {
    claim: () => Promise<void>
    matchAll: (filter: { type: 'window' }) => Promise<readonly WindowOfApp[]>
    openWindow: (url: string) => Promise<unknown>
  }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (name: 'install' | 'activate', listener: (event: ExtendableWorkerEvent) => void): void
    (name: 'fetch', listener: (event: FetchWorkerEvent) => void): void
    (name: 'push', listener: (event: PushWorkerEvent) => void): void
    (name: 'notificationclick', listener: (event: NotificationWorkerEvent) => void): void
    (name: 'message', listener: (event: ExtendableWorkerEvent & MessageEvent<WorkerMessage>) => void): void
  }
}
const scope = self as unknown as WorkerScope

const cachePrefix = 'build '
const cacheName = cachePrefix + build.version
/** The longest a connection without data may delay the app. */
const pageTimeoutMs = 3000

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('message', (event) => {
  const { data, ports } = event
  if (data.kind === 'activate') event.waitUntil(scope.skipWaiting())
  else if (data.kind === 'fill') event.waitUntil(fill(data.used))
  else if (data.kind === 'language') event.waitUntil(cachePageIn(data.language))
  else if (data.kind === 'clear') event.waitUntil(clear().then(() => ports[0]?.postMessage(true)))
  else ports[0]?.postMessage(data.script === build.entry)
})
scope.addEventListener('fetch', (event) => {
  const strategy = strategyOf(event.request, scope.location.origin, build)
  if (strategy === 'page') event.respondWith(page(event.request))
  else if (strategy === 'asset') event.respondWith(asset(event.request))
  else if (strategy === 'file') event.respondWith(file(event.request))
})

scope.addEventListener('push', (event) => event.waitUntil(notify(event.data?.json())))
scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data as { url: string }
  event.waitUntil(open(url))
})

/** Shows what the venue has sent, in the language of the cached page. */
async function notify(payload: unknown): Promise<void> {
  const language = (await cached('/'))?.headers.get('Content-Language') ?? 'zh-CN'
  const notification = notificationOf(payload, language, __TEXTS__)
  if (notification) await scope.registration.showNotification(notification.title, notification.options)
}

/** In a window of the app if there is one. */
async function open(url: string): Promise<void> {
  const [client] = await scope.clients.matchAll({ type: 'window' })
  if (!client) return void (await scope.clients.openWindow(url))
  await client.focus()
  await client.navigate(url)
}

/** The venue's page. Fails if it is of another build because the venue is being updated. */
async function fetchPage(): Promise<Response> {
  const answer = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })
  const text = await answer.clone().text()
  if (!answer.ok || !text.includes(build.entry)) throw new Error('the page is of another build')
  return answer
}

/** Caches the shell; retried later if it fails. */
async function install(): Promise<void> {
  const answer = await fetchPage()
  const used: string[] = []
  for (const name of await caches.keys())
    if (name.startsWith(cachePrefix)) used.push(...(await cachedPaths(await caches.open(name))))
  const packs = pathsToCache(build, used, [...build.shell, ...build.rest])
  const cache = await caches.open(cacheName)
  await cache.put('/', answer)
  await cache.addAll([...build.shell, ...packs])
  await cache.addAll(build.plain.map((path) => new Request(path, { cache: 'no-cache' })))
}

/** Deletes every other build's cache, and takes control of open pages. */
async function activate(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== cacheName)
  await Promise.all(names.map((name) => caches.delete(name)))
  await scope.clients.claim()
}

/** Caches the rest of the build, one file after the other, because the member may be trading meanwhile. */
async function fill(used: readonly string[]): Promise<void> {
  const cache = await openCache()
  if (!cache) return
  for (const path of pathsToCache(build, used, await cachedPaths(cache))) await cache.add(path)
}

let pageUpdate: Promise<unknown> = Promise.resolve()

/** Replaces the cached page if it is in another language. One change after the other: the last one counts. */
function cachePageIn(language: string): Promise<unknown> {
  const update = async (): Promise<void> => {
    const page = await cached('/')
    if (!(await openCache()) || page?.headers.get('Content-Language') === language) return
    const answer = await fetchPage()
    await (await openCache())?.put('/', answer)
  }
  pageUpdate = pageUpdate.then(update, update)
  return pageUpdate
}

async function cachedPaths(cache: Cache): Promise<string[]> {
  return (await cache.keys()).map(({ url }) => new URL(url).pathname)
}

let isCleared = false

/** Deletes every cache permanently: this worker still serves the open pages, but the next visit installs a new one. */
async function clear(): Promise<void> {
  isCleared = true
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}

/** The cache that the installation made; null once the member cleared it, because opening it would make it again. */
async function openCache(): Promise<Cache | null> {
  const exists = await caches.has(cacheName)
  return exists && !isCleared ? caches.open(cacheName) : null
}

const cached = (path: string): Promise<Response | undefined> =>
  caches.match(path, { cacheName, ignoreVary: true })

/** The venue's page; the cached one if it is late, or if a proxy in front of the venue fails. */
async function page(request: Request): Promise<Response> {
  const live = await Promise.race([fetch(request).catch(() => undefined), pageTimeout()])
  if (live && live.status < 500) return live
  return (await cached('/')) ?? live ?? fetch(request)
}

async function asset(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const match = await cached(pathname)
  if (match) return match
  const answer = await fetch(request)
  if (answer.ok) await (await openCache())?.put(pathname, answer.clone())
  return answer
}

async function file(request: Request): Promise<Response> {
  const live = await fetch(request).catch(() => undefined)
  return live ?? (await cached(new URL(request.url).pathname)) ?? fetch(request)
}

const pageTimeout = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), pageTimeoutMs))
