import { resourceTimeoutMs } from '../../contract/constants.ts'
import { createEmitter } from '../lib/emitter.ts'
import { reportFailure, type LoadFailure } from './reportFailure.ts'
import { runningScript } from './runningScript.ts'

export type LazyResult<T> = { ok: true; value: T } | { ok: false; failure: LoadFailure }
export type Lazy<T> = {
  /**
   * The attempt in flight or completed. A failed attempt is not cached, so the next call tries again; but a browser may
   * cache a failed import until the page is unloaded, and then fail without a request.
   */
  get(): Promise<LazyResult<T>>
  /**
   * Like {@link get}, for a load whose failure is shown to the member: if it fails once more although the venue
   * answers, the page is reloaded, which clears the failed import. Its address and drafts survive that.
   * @param retry `isRetry`: the failure was shown elsewhere, and the member tries again. `beforeReload` is called
   * before the page is reloaded.
   */
  getOrReload(retry?: { isRetry?: boolean; beforeReload?: () => void }): Promise<LazyResult<T>>
  /** The loaded value. */
  readonly value: T | undefined
  /** Calls back once the value is loaded. */
  readonly subscribe: (listener: () => void) => () => void
}

/** A failure that is already classified, thrown by a `load` that waits for another file. */
export class LoadError extends Error {
  readonly failure: LoadFailure
  constructor(failure: LoadFailure) {
    super(failure)
    this.failure = failure
  }
}

export type LazyOptions = {
  timeoutMs?: number
  /** Whether the file no longer exists; called once after a failure. */
  isGone?: (error: unknown) => Promise<boolean>
  /** Reloads the page. */
  reload?: () => void
  /** Whether the venue answers. */
  isReachable?: () => Promise<boolean>
  /**
   * If set, a failure is reported to the venue under this name. A page's failure is reported by the component that
   * shows it.
   */
  name?: string
}

/** A file of the app that is loaded on demand, once, within a time limit. */
export function createLazy<T>(load: () => Promise<T>, options: LazyOptions = {}): Lazy<T> {
  const { timeoutMs = resourceTimeoutMs, isGone = () => isReplaced(), name } = options
  const { reload = () => location.reload(), isReachable = isVenueReachable } = options
  let value: T | undefined
  let isFailureTold = false
  let attempt: Promise<LazyResult<T>> | undefined
  const emitter = createEmitter()

  async function attemptLoad(): Promise<LazyResult<T>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timedOut = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), timeoutMs)
    })
    try {
      const loaded = await Promise.race([load().then((module) => ({ module })), timedOut])
      if (loaded === 'late') return { ok: false, failure: 'timeout' }
      value = loaded.module
      emitter.emit()
      return { ok: true, value: loaded.module }
    } catch (error) {
      if (error instanceof LoadError) return { ok: false, failure: error.failure }
      return { ok: false, failure: (await isGone(error)) ? 'missing' : 'other' }
    } finally {
      clearTimeout(timer)
    }
  }
  function get(): Promise<LazyResult<T>> {
    attempt ??= attemptLoad().then((result) => {
      if (!result.ok) attempt = undefined
      if (!result.ok && name !== undefined) reportFailure(result.failure, name)
      return result
    })
    return attempt
  }
  return {
    get,
    async getOrReload({ isRetry = isFailureTold, beforeReload } = {}) {
      const result = await get()
      isFailureTold ||= !result.ok
      if (isRetry && !result.ok && result.failure === 'other' && (await isReachable())) {
        beforeReload?.()
        reload()
      }
      return result
    },
    get value() {
      return value
    },
    subscribe: emitter.subscribe,
  }
}

async function isVenueReachable(): Promise<boolean> {
  try {
    return (await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })).ok
  } catch {
    return false
  }
}

/**
 * A failed import has no reason. If the app's page no longer references the running script, the venue was updated and
 * the old files are gone. Offline the result is false.
 */
export async function isReplaced(script = runningScript()): Promise<boolean> {
  if (script === undefined) return false
  try {
    const page = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })
    return page.ok && !(await page.text()).includes(script)
  } catch {
    return false
  }
}
