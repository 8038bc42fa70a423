// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLazy } from '../../../src/start/lazy.ts'
import type { LazyPage, PageComponent } from '../../../src/shell/lazyPage.ts'
import { usePage } from '../../../src/shell/usePage.ts'
import { mount, one } from '../ui/mount.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const Hello: PageComponent = () => <p>hello</p>
/** A page that the test resolves or rejects. */
function pending() {
  let deferred: { resolve: (page: PageComponent) => void; reject: (error: Error) => void } | undefined
  const load = vi.fn(() => new Promise<PageComponent>((resolve, reject) => (deferred = { resolve, reject })))
  return {
    load,
    page: createLazy(load, { isGone: async () => false }),
    arrive: () => act(async () => deferred?.resolve(Hello)),
    fail: () => act(async () => deferred?.reject(new Error('no'))),
  }
}
function Host({ page }: { page: ReturnType<typeof pending>['page'] }) {
  const [shown, retry] = usePage(page)
  if (shown.state === 'ready') return <shown.Page />
  return (
    <button type="button" onClick={retry}>
      {shown.state === 'failed' ? shown.failure : shown.state}
    </button>
  )
}
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shownText = () => document.body.textContent

describe('usePage', () => {
  it('is waiting for 200 ms, then loading, then ready', async () => {
    const { page, arrive } = pending()
    await mount(<Host page={page} />)
    await advance(199)
    expect(shownText()).toBe('waiting')
    await advance(1)
    expect(shownText()).toBe('loading')
    await arrive()
    expect(shownText()).toBe('hello')
  })

  it('shows a loaded page at once', async () => {
    const { page, arrive } = pending()
    void page.get()
    await arrive()
    await mount(<Host page={page} />)
    expect(shownText()).toBe('hello')
  })

  it('shows a page that arrives between the first render and the subscription', async () => {
    let reads = 0
    const page: LazyPage = {
      get: async () => ({ ok: true, value: Hello }),
      getOrReload: async () => ({ ok: true, value: Hello }),
      get value() {
        return reads++ === 0 ? undefined : Hello
      },
      subscribe: () => () => undefined,
    }
    await mount(<Host page={page} />)
    expect(shownText()).toBe('hello')
  })

  it('times out after 60 s, and still shows a page that arrives late', async () => {
    const { page, arrive, load } = pending()
    await mount(<Host page={page} />)
    await advance(60_000)
    expect(shownText()).toBe('timeout')
    await act(async () => one('button').click())
    await advance(200)
    expect(shownText()).toBe('loading')
    await arrive()
    expect(shownText()).toBe('hello')
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('loads again on retry after a failure', async () => {
    const { page, arrive, fail, load } = pending()
    await mount(<Host page={page} />)
    await fail()
    expect(shownText()).toBe('other')
    await act(async () => one('button').click())
    await arrive()
    expect(shownText()).toBe('hello')
    expect(load).toHaveBeenCalledTimes(2)
  })
})
