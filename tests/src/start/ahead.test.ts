// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadAheadOf, loadedAhead, startLoadingAhead } from '../../../src/start/ahead.ts'
import { navigate } from '../../../src/router/hashLocation.ts'

let stop: () => void
/** Ends the request for the page of an id. */
const done = new Map<string, () => void>()

beforeEach(() => {
  vi.useFakeTimers()
  history.replaceState(null, '', '#/')
  // Links of SVG: happy-dom follows the others before their click has reached the document.
  document.body.innerHTML = `<svg>
    <a href="#/slow?id=1"><b>1</b></a>
    <a href="#/slow?id=2">2</a>
    <a href="#/other">3</a>
  </svg>`
  stop = startLoadingAhead()
  loadAheadOf('/slow', (query) => new Promise<void>((resolve) => done.set(query.get('id') ?? '', resolve)))
})
afterEach(() => {
  stop()
  done.clear()
  vi.useRealTimers()
})

const tap = (selector: string, init: MouseEventInit = {}) => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init })
  document.querySelector(selector)?.dispatchEvent(event)
  return event
}

it('opens the page once its first data are there', async () => {
  expect(tap('b').defaultPrevented).toBe(true)
  expect(location.hash).toBe('#/')
  done.get('1')?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(location.hash).toBe('#/slow?id=1')
})

it('opens the page without its data after 100 ms', async () => {
  tap('b')
  await vi.advanceTimersByTimeAsync(99)
  expect(location.hash).toBe('#/')
  await vi.advanceTimersByTimeAsync(1)
  expect(location.hash).toBe('#/slow?id=1')
})

it('opens only the page of the later tap, and none if another was opened meanwhile', async () => {
  tap('b')
  tap('a[href$="2"]')
  done.get('1')?.()
  await vi.advanceTimersByTimeAsync(50)
  expect(location.hash).toBe('#/')
  done.get('2')?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(location.hash).toBe('#/slow?id=2')
  tap('b')
  navigate('/other')
  await vi.advanceTimersByTimeAsync(200)
  expect(location.hash).toBe('#/other')
})

it('leaves every other click to the browser', () => {
  const others = [tap('a[href="#/other"]'), tap('b', { ctrlKey: true }), tap('b', { button: 1 }), tap('body')]
  expect(others.map(({ defaultPrevented }) => defaultPrevented)).toEqual([false, false, false, false])
  expect(done.size).toBe(0)
})

it('waits for the first data at the start too, at most 100 ms, and not for a failure', async () => {
  const starts: string[] = []
  loadAheadOf('/failing', async (query, at) => {
    starts.push(`${at} ${query.get('id')}`)
    throw new Error('offline')
  })
  await loadedAhead('#/failing?id=7', 'start')
  expect(starts).toEqual(['start 7'])
  await loadedAhead('#/other', 'start')
  let isOpen = false
  void loadedAhead('#/slow?id=3', 'start').then(() => (isOpen = true))
  await vi.advanceTimersByTimeAsync(99)
  expect(isOpen).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOpen).toBe(true)
})
