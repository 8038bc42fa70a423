import { describe, expect, it } from 'vitest'
import { createLeaderClock } from '../../../../server/platform/cluster/leaderClock.ts'

const reached = 1_000_000

/** A node whose own monotonic clock the test sets; the leader's time is `ahead` of it. */
function follow() {
  let own = 5000
  const clock = createLeaderClock(reached, () => own)
  return {
    clock,
    /** An instant of the leader arrives `lateMs` after it. */
    arrive: (lateMs: number, ahead = reached): void => clock.observe(own + ahead - lateMs),
    advance: (ms: number): void => void (own += ms),
    leaderNow: (ahead = reached): number => own + ahead,
  }
}

describe("the leader's time on another node", () => {
  it('starts at an instant that the leader has reached and runs on by itself', () => {
    const { clock, advance } = follow()
    expect(clock.now()).toBe(reached)
    advance(1500)
    expect(clock.now()).toBe(reached + 1500)
  })

  it('is as late as the fastest arrival of the last 30 s, and never ahead', () => {
    const { clock, arrive, advance, leaderNow } = follow()
    for (const lateMs of [40, 3, 90, 12, 500]) {
      arrive(lateMs)
      advance(1000)
    }
    expect(leaderNow() - clock.now()).toBe(3)
    for (let second = 0; second < 40; second++) {
      arrive(20)
      advance(1000)
    }
    expect(leaderNow() - clock.now()).toBe(20)
  })

  it('takes no step of over a second, and says so once it has followed a leader', () => {
    const steps: number[] = []
    let own = 5000
    const clock = createLeaderClock(
      reached,
      () => own,
      (aheadMs) => steps.push(aheadMs),
    )
    expect(clock.isPlausible(reached + 60_000)).toBe(false)
    expect(steps).toEqual([])
    expect(clock.hasFollowed()).toBe(false)
    clock.observe(reached + 60_000)
    expect(clock.hasFollowed()).toBe(true)
    own += 500
    expect(clock.isPlausible(clock.now() + 1000)).toBe(true)
    expect(clock.isPlausible(clock.now() - 90_000)).toBe(true)
    expect(clock.isPlausible(clock.now() + 1001)).toBe(false)
    expect(steps).toEqual([1001])
  })

  it('never runs backwards, even if a later leader’s time is behind', () => {
    const { clock, arrive, advance, leaderNow } = follow()
    arrive(5)
    const before = clock.now()
    let previous = before
    for (let second = 0; second < 40; second++) {
      arrive(5, reached - 2000)
      advance(1000)
      expect(clock.now()).toBeGreaterThanOrEqual(previous)
      previous = clock.now()
    }
    expect(leaderNow(reached - 2000) - clock.now()).toBe(5)
  })
})
