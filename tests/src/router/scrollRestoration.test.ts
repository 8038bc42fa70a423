// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { navigate } from '../../../src/router/hashLocation.ts'
import { startScrollRestoration, goBack } from '../../../src/router/scrollRestoration.ts'

let unfollow = (): void => undefined
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  history.replaceState(null, '', '#/pages/index/index')
  unfollow = startScrollRestoration((path) => path.startsWith('/pages/'))
})
afterEach(() => {
  unfollow()
  vi.unstubAllGlobals()
})

describe('goBack', () => {
  it('leads to the fallback where there is no page of ours before', () => {
    goBack('/pages/user/user')
    expect(location.hash).toBe('#/pages/user/user')
  })

  it('goes back in the history where there is one', () => {
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
    navigate('/pages/set/set')
    goBack('/pages/user/user')
    expect(back).toHaveBeenCalledTimes(1)
    expect(location.hash).toBe('#/pages/set/set')
    back.mockRestore()
  })

  it('does not count a change of the query in place as a page', () => {
    navigate('/pages/index/index?tab=closed', { replace: true })
    goBack('/pages/user/user')
    expect(location.hash).toBe('#/pages/user/user')
  })
})

describe('scroll', () => {
  it('finds a tab as it was left, and a new page at its top', async () => {
    const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
    Object.defineProperty(window, 'scrollY', { value: 640, configurable: true })
    dispatchEvent(new Event('scroll'))
    navigate('/detail')
    await new Promise((done) => requestAnimationFrame(done))
    expect(scrolled).toHaveBeenLastCalledWith(0, 0)
    Object.defineProperty(window, 'scrollY', { value: 0, configurable: true })
    navigate('/pages/index/index')
    await new Promise((done) => requestAnimationFrame(done))
    expect(scrolled).toHaveBeenLastCalledWith(0, 640)
    scrolled.mockRestore()
  })
})
