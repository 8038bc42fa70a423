// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { navigate } from '../../../src/router/hashLocation.ts'
import { startScrollRestoration, goBack } from '../../../src/router/scrollRestoration.ts'

let stopRestoration = (): void => undefined
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  history.replaceState(null, '', '#/pages/index/index')
  stopRestoration = startScrollRestoration((path) => path.startsWith('/pages/'))
})
afterEach(() => {
  stopRestoration()
  vi.unstubAllGlobals()
})

describe('goBack', () => {
  it('navigates to the fallback if the previous entry is not a page of the app', () => {
    goBack('/pages/user/user')
    expect(location.hash).toBe('#/pages/user/user')
  })

  it('goes back in the history if it is', () => {
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
    navigate('/pages/set/set')
    goBack('/pages/user/user')
    expect(back).toHaveBeenCalledTimes(1)
    expect(location.hash).toBe('#/pages/set/set')
    back.mockRestore()
  })

  it('does not count a replaced query as a page', () => {
    navigate('/pages/index/index?tab=closed', { replace: true })
    goBack('/pages/user/user')
    expect(location.hash).toBe('#/pages/user/user')
  })
})

describe('startScrollRestoration', () => {
  it('restores the scroll position of a tab, and starts a new page at its top', async () => {
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
