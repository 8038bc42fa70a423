import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ResourceError, createResource, isReplaced } from '../../../src/shell/resource.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const never = () => new Promise<never>(() => undefined)

describe('createResource', () => {
  it('fetches once for all who ask', async () => {
    const load = vi.fn(() => Promise.resolve('page'))
    const resource = createResource(load)
    const here = vi.fn()
    resource.subscribe(here)
    expect(resource.value).toBeUndefined()
    expect(await Promise.all([resource.get(), resource.get()])).toEqual([
      { ok: true, value: 'page' },
      { ok: true, value: 'page' },
    ])
    expect([resource.value, load.mock.calls.length, here.mock.calls.length]).toEqual(['page', 1, 1])
  })

  it('gives up after 120 s', async () => {
    const result = createResource(never).get()
    await vi.advanceTimersByTimeAsync(119_999)
    let told: unknown
    void result.then((value) => (told = value))
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toEqual({ ok: false, failure: 'timeout' })
  })

  it.each([
    ['missing', true],
    ['other', false],
  ] as const)('calls a failure %s where the file is gone: %s', async (failure, gone) => {
    const resource = createResource(() => Promise.reject(new Error('no')), { isGone: async () => gone })
    expect(await resource.get()).toEqual({ ok: false, failure })
  })

  it('passes on a failure that is already understood', async () => {
    const resource = createResource(() => Promise.reject(new ResourceError('timeout')))
    expect(await resource.get()).toEqual({ ok: false, failure: 'timeout' })
  })

  it('tries again when asked again after a failure', async () => {
    const load = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValue('page')
    const resource = createResource(load, { isGone: async () => false })
    await resource.get()
    expect(await resource.get()).toEqual({ ok: true, value: 'page' })
  })
})

describe('isReplaced', () => {
  const page = (text: string) => vi.stubGlobal('fetch', async () => new Response(text, { status: 200 }))
  it('compares the first page’s script with the one that runs', async () => {
    page('<html data-app="/assets/index-OLD.js">')
    expect(await isReplaced('/assets/index-OLD.js')).toBe(false)
    page('<html data-app="/assets/index-NEW.js">')
    expect(await isReplaced('/assets/index-OLD.js')).toBe(true)
  })

  it('knows nothing while offline', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(await isReplaced('/assets/index-OLD.js')).toBe(false)
  })
})
