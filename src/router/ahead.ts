import { navigate, parseHash } from './hashLocation.ts'

/** Requests what a page shows first; resolves once it is there. */
export type LoadAhead = (query: URLSearchParams) => Promise<unknown>

/** A tap waits at most this long for the first data of its page, ms: until then it feels immediate. */
const waitMaxMs = 100

const loaders = new Map<string, LoadAhead>()

/** Declares what a page requests at the tap on a link to it, instead of when it renders. */
export const loadAheadOf = (path: string, load: LoadAhead): void => void loaders.set(path, load)

/**
 * Requests a page's first data at the tap on a link to it, and opens the page with them, or without them after 100 ms: one
 * that first renders a placeholder is complete later. Of two taps the later one counts.
 */
export function startLoadingAhead(): () => void {
  let latest: MouseEvent | undefined
  const onClick = (event: MouseEvent): void => {
    const hash = isPlain(event) ? hashOf(event.target) : undefined
    if (hash === undefined || hash === location.hash) return
    const { path, search } = parseHash(hash)
    const load = loaders.get(path)
    if (load === undefined) return
    event.preventDefault()
    latest = event
    const from = location.hash
    const open = (): void => {
      clearTimeout(timer)
      if (latest !== event || location.hash !== from) return
      latest = undefined
      navigate(hash.slice(1))
    }
    const timer = setTimeout(open, waitMaxMs)
    void load(new URLSearchParams(search)).then(open, open)
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
