// @vitest-environment happy-dom
import { act, Profiler } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Ring } from '../../../src/ui/index.ts'
import { ringDigits } from '../../../src/ui/Ring.tsx'
import { mount, one } from './mount.tsx'

describe('ringDigits', () => {
  it.each([
    [252_000, '4:12'],
    [60_001, '1:01'],
    [60_000, '1:00'],
    [59_999, '1:00'],
    [59_000, '59'],
    [41_001, '42'],
    [1, '1'],
    [0, '0'],
    [-300, '0'],
  ])('%i ms reads %s', (remainingMs, expected) => {
    expect(ringDigits(remainingMs)).toBe(expected)
  })
})

describe('Ring', () => {
  it('writes arc and digits without rendering, settles at zero and lets go of its source', async () => {
    const paints = new Set<(remainingMs: number) => void>()
    const bind = (paint: (remainingMs: number) => void) => {
      paints.add(paint)
      paint(30_000)
      return () => paints.delete(paint)
    }
    const rendered = vi.fn()
    const { render } = await mount(
      <Profiler id="ring" onRender={rendered}>
        <Ring totalMs={60_000} bind={bind} label="Time left" settlingLabel="Settling" />
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
