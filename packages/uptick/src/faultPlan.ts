import { msOf, type Time } from './time.ts'

/** What goes wrong from the first `begin` to the last `end`. */
export type Fault = { begin: () => void; end: () => void }

export function createFault(turnOn: () => void, turnOff: () => void): Fault {
  let begun = 0
  return {
    begin: () => {
      if (++begun === 1) turnOn()
    },
    end: () => {
      if (--begun === 0) turnOff()
    },
  }
}

/** What is to go wrong with a market, said in advance. */
export type FaultPlan = {
  /** @throws RangeError if it does not begin later than now, or ends before it begins */
  during: (from: Time, to: Time, fault: Fault) => void
  /** @throws RangeError as `during` does */
  assertAhead: (from: Time, to: Time) => void
  /** Takes out the next beginning or end up to an instant; undefined if there is none. */
  due: (until: number) => { at: number; act: () => void } | undefined
  /** Whether one has begun and not ended. */
  isFaulty: () => boolean
}

/** @param origin the instant from which times count */
export function createFaultPlan(origin: number, now: () => number): FaultPlan {
  const events: { at: number; act: () => void }[] = []
  let begun = 0
  const plan = (time: Time, act: () => void, change: number): void => {
    const run = (): void => {
      act()
      begun += change
    }
    events.push({ at: origin + msOf(time), act: run })
  }
  const assertAhead = (from: Time, to: Time): void => {
    if (!(origin + msOf(from) >= now() && msOf(to) > msOf(from)))
      throw new RangeError(`${from} to ${to} is not ahead: it is ${now() - origin} ms`)
  }
  return {
    assertAhead,
    during: (from, to, { begin, end }) => {
      assertAhead(from, to)
      plan(from, begin, 1)
      plan(to, end, -1)
      events.sort((a, b) => a.at - b.at)
    },
    due: (until) => (events[0] !== undefined && events[0].at <= until ? events.shift() : undefined),
    isFaulty: () => begun > 0,
  }
}
