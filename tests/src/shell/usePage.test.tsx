// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResource } from '../../../src/shell/resource.ts'
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
/** A page that comes, or fails, when the test says. */
function pending() {
  let settle: { resolve: (page: PageComponent) => void; reject: (error: Error) => void } | undefined
  const load = vi.fn(() => new Promise<PageComponent>((resolve, reject) => (settle = { resolve, reject })))
  return {
    load,
    page: createResource(load, { isGone: async () => false }),
    come: () => act(async () => settle?.resolve(Hello)),
    fail: () => act(async () => settle?.reject(new Error('no'))),
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
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shownText = () => document.body.textContent

describe('usePage', () => {
  it('says nothing for 200 ms, then that it loads, then shows the page', async () => {
    const { page, come } = pending()
    await mount(<Host page={page} />)
    await pass(199)
    expect(shownText()).toBe('waiting')
    await pass(1)
    expect(shownText()).toBe('loading')
    await come()
    expect(shownText()).toBe('hello')
  })

  it('shows a page at once that has been here before', async () => {
    const { page, come } = pending()
    void page.get()
    await come()
    await mount(<Host page={page} />)
    expect(shownText()).toBe('hello')
  })

  it('shows a page that comes between the first paint and the moment somebody listens', async () => {
    let reads = 0
    const page: LazyPage = {
      get: async () => ({ ok: true, value: Hello }),
      get value() {
        return reads++ === 0 ? undefined : Hello
      },
      subscribe: () => () => undefined,
    }
    await mount(<Host page={page} />)
    expect(shownText()).toBe('hello')
  })

  it('calls it a time-out after 60 s, and still shows what comes late', async () => {
    const { page, come, load } = pending()
    await mount(<Host page={page} />)
    await pass(60_000)
    expect(shownText()).toBe('timeout')
    await act(async () => one('button').click())
    await pass(200)
    expect(shownText()).toBe('loading')
    await come()
    expect(shownText()).toBe('hello')
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('offers another try after a failure', async () => {
    const { page, come, fail, load } = pending()
    await mount(<Host page={page} />)
    await fail()
    expect(shownText()).toBe('other')
    await act(async () => one('button').click())
    await come()
    expect(shownText()).toBe('hello')
    expect(load).toHaveBeenCalledTimes(2)
  })
})
