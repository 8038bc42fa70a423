// @vitest-environment happy-dom
import { act, Profiler } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { CountdownRing } from '../../../src/ui/index.ts'
import { passedMark } from '../../../src/ui/CountdownRing.tsx'
import { mount, one } from './mount.tsx'

describe('passedMark', () => {
  it.each([
    [-1, 30_000, undefined],
    [-1, 4000, undefined],
    [10_001, 10_000, 10],
    [10_000, 9999, undefined],
    [5010, 4990, 5],
    [16, 0, 0],
    [30_000, -20, 0],
    [-20, -40, undefined],
  ])('returns for %i ms to %i ms %s', (before, now, expected) => {
    expect(passedMark(before, now)).toBe(expected)
  })
})

describe('CountdownRing', () => {
  it('announces ten, five and zero seconds only', async () => {
    let paint: (remainingMs: number) => void = () => undefined
    const bind = (to: typeof paint) => {
      paint = to
      to(12_000)
      return () => undefined
    }
    await mount(
      <CountdownRing
        totalMs={60_000}
        bind={bind}
        label="Time left"
        settlingLabel="Settling"
        announcement={(seconds) => `${seconds} s left`}
      />,
    )
    const liveRegion = one('[aria-live="polite"]')
    const announcements: string[] = []
    for (let left = 12_000; left >= 0; left -= 100) {
      paint(left)
      if (liveRegion.textContent !== announcements.at(-1)) announcements.push(liveRegion.textContent ?? '')
    }
    expect(announcements).toEqual(['', '10 s left', '5 s left', 'Settling'])
  })

  it('writes arc and digits without rendering, shows settling at zero and releases its source', async () => {
    const paints = new Set<(remainingMs: number) => void>()
    const bind = (paint: (remainingMs: number) => void) => {
      paints.add(paint)
      paint(30_000)
      return () => paints.delete(paint)
    }
    const rendered = vi.fn()
    const { render } = await mount(
      <Profiler id="ring" onRender={rendered}>
        <CountdownRing
          totalMs={60_000}
          bind={bind}
          label="Time left"
          settlingLabel="Settling"
          announcement={(seconds) => `${seconds} s left`}
        />
      </Profiler>,
    )
    const ring = one('[role="timer"]')
    const arc = ring.querySelector<SVGCircleElement>('circle:last-of-type')!
    const turn = Number(arc.getAttribute('stroke-dasharray'))
    expect(ring.textContent).toBe('30')
    expect(Number(arc.style.strokeDashoffset)).toBeCloseTo(turn / 2)

    const rendersBefore = rendered.mock.calls.length
    await act(async () => paints.forEach((paint) => paint(15_000)))
    expect(ring.textContent).toBe('15')
    expect(Number(arc.style.strokeDashoffset)).toBeCloseTo((turn * 3) / 4)
    expect(ring.hasAttribute('data-settling')).toBe(false)

    await act(async () => paints.forEach((paint) => paint(-20)))
    expect(ring.hasAttribute('data-settling')).toBe(true)
    expect(rendered.mock.calls.length).toBe(rendersBefore)

    await render(null)
    expect(paints.size).toBe(0)
  })
})
