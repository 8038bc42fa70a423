import { navigate, parseHash } from '../router/hashLocation.ts'

/**
 * Requests what a page shows first; resolves once it is there. At a tap the page before stays until then; at the start of
 * the app nothing is shown yet, so what the page can do without is requested after its first paint.
 */
export type LoadAhead = (query: URLSearchParams, at: 'tap' | 'start') => Promise<unknown>

/** A page waits at most this long for its first data, ms: until then a tap feels immediate. */
const waitMaxMs = 100

const loaders = new Map<string, LoadAhead>()

/** Declares what a page requests before it renders. */
export const loadAheadOf = (path: string, load: LoadAhead): void => void loaders.set(path, load)

/**
 * Requests the first data of the page of a hash. Resolves once they are there, have failed, or 100 ms have passed: a page
 * that first renders a placeholder is complete later. At once for a page that declares none.
 */
export async function loadedAhead(hash: string, at: 'tap' | 'start'): Promise<void> {
  const { path, search } = parseHash(hash)
  const load = loaders.get(path)
  if (load === undefined) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const isLate = new Promise((resolve) => (timer = setTimeout(resolve, waitMaxMs)))
  await Promise.race([isLate, load(new URLSearchParams(search), at).catch(() => undefined)])
  clearTimeout(timer)
}

/** Requests a page's first data at the tap on a link to it, and opens the page with them. Of two taps the later one counts. */
export function startLoadingAhead(): () => void {
  let latest: MouseEvent | undefined
  const onClick = (event: MouseEvent): void => {
    const hash = isPlain(event) ? hashOf(event.target) : undefined
    if (hash === undefined || hash === location.hash || !loaders.has(parseHash(hash).path)) return
    event.preventDefault()
    latest = event
    void open(hash, event)
  }
  const open = async (hash: string, tap: MouseEvent): Promise<void> => {
    const from = location.hash
    await loadedAhead(hash, 'tap')
    if (latest !== tap || location.hash !== from) return
    latest = undefined
    navigate(hash.slice(1))
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}

/** A click that opens the link here, and that nothing else has handled. */
const isPlain = (event: MouseEvent): boolean =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

const hashOf = (target: EventTarget | null): string | undefined =>
  (target instanceof Element && target.closest('a[href^="#"]')?.getAttribute('href')) || undefined
