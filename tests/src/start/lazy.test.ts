import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadError, createLazy, isReplaced } from '../../../src/start/lazy.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const never = () => new Promise<never>(() => undefined)

describe('createLazy', () => {
  it('loads once for all callers', async () => {
    const load = vi.fn(() => Promise.resolve('page'))
    const lazy = createLazy(load)
    const listener = vi.fn()
    lazy.subscribe(listener)
    expect(lazy.value).toBeUndefined()
    expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([
      { ok: true, value: 'page' },
      { ok: true, value: 'page' },
    ])
    expect([lazy.value, load.mock.calls.length, listener.mock.calls.length]).toEqual(['page', 1, 1])
  })

  it('times out after 120 s', async () => {
    const result = createLazy(never).get()
    await vi.advanceTimersByTimeAsync(119_999)
    let settledResult: unknown
    void result.then((value) => (settledResult = value))
    await vi.advanceTimersByTimeAsync(0)
    expect(settledResult).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(settledResult).toEqual({ ok: false, failure: 'timeout' })
  })

  it.each([
    ['missing', true],
    ['other', false],
  ] as const)('classifies a failure as %s if isGone returns %s', async (failure, gone) => {
    const lazy = createLazy(() => Promise.reject(new Error('no')), { isGone: async () => gone })
    expect(await lazy.get()).toEqual({ ok: false, failure })
  })

  it('passes on a failure that is already classified', async () => {
    const lazy = createLazy(() => Promise.reject(new LoadError('timeout')))
    expect(await lazy.get()).toEqual({ ok: false, failure: 'timeout' })
  })

  it('tries again on the next call after a failure', async () => {
    const load = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValue('page')
    const lazy = createLazy(load, { isGone: async () => false })
    await lazy.get()
    expect(await lazy.get()).toEqual({ ok: true, value: 'page' })
  })
})

describe('getOrReload', () => {
  /** As Chromium imports: what failed once fails for as long as the page lives. */
  const setup = (isReachable: boolean) => {
    const reload = vi.fn()
    const options = { isGone: async () => false, isReachable: async () => isReachable, reload }
    return { lazy: createLazy(() => Promise.reject(new Error('no')), options), reload }
  }

  it('loads the page anew if an attempt after a failed one fails too', async () => {
    const { lazy, reload } = setup(true)
    const before = vi.fn()
    expect(await lazy.getOrReload({ beforeReload: before })).toEqual({ ok: false, failure: 'other' })
    expect(reload).not.toHaveBeenCalled()
    await lazy.getOrReload({ beforeReload: before })
    expect([before.mock.calls.length, reload.mock.calls.length]).toEqual([1, 1])
  })

  it('does so only after a failure of which the member was told', async () => {
    const { lazy, reload } = setup(true)
    await lazy.get()
    await lazy.get()
    await lazy.getOrReload()
    expect(reload).not.toHaveBeenCalled()
    await lazy.getOrReload()
    expect(reload).toHaveBeenCalledOnce()
  })

  it('does so at once if the member was told elsewhere', async () => {
    const { lazy, reload } = setup(true)
    await lazy.getOrReload({ isRetry: true })
    expect(reload).toHaveBeenCalledOnce()
  })

  it('does not while the venue cannot be reached', async () => {
    const { lazy, reload } = setup(false)
    await lazy.getOrReload()
    await lazy.getOrReload()
    expect(reload).not.toHaveBeenCalled()
  })
})

describe('isReplaced', () => {
  const page = (text: string) => vi.stubGlobal('fetch', async () => new Response(text, { status: 200 }))
  it('compares the script of the page with the running one', async () => {
    page('<html data-app="/assets/main-OLD.js">')
    expect(await isReplaced('/assets/main-OLD.js')).toBe(false)
    page('<html data-app="/assets/main-NEW.js">')
    expect(await isReplaced('/assets/main-OLD.js')).toBe(true)
  })

  it('returns false while offline', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(await isReplaced('/assets/main-OLD.js')).toBe(false)
  })
})
