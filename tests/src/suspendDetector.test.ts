import { expect, it } from 'vitest'
import { detectSuspend } from '../../src/suspendDetector.ts'

it('a look that comes much too late tells of sleep, unless the tab is hidden', () => {
  const looks: (() => void)[] = []
  const device = { at: 0, hidden: false }
  let woken = 0
  detectSuspend(() => (woken += 1), {
    now: () => device.at,
    every: (_, run) => void looks.push(run),
    isHidden: () => device.hidden,
  })
  const counts = [1000, 1000, 3_600_000, 1000, -86_400_000, 1000, 4000].map((ms) => {
    device.at += ms
    looks[0]?.()
    return woken
  })
  expect(counts).toEqual([0, 0, 1, 1, 1, 1, 1])
  device.hidden = true
  device.at += 60_000
  looks[0]?.()
  expect(woken).toBe(1)
})
