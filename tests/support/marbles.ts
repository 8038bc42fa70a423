import { TestScheduler } from 'rxjs/testing'
import { expect } from 'vitest'

type Run = Parameters<TestScheduler['run']>[0]

/** Runs marbles on virtual time: one column is one millisecond. */
export function marbles(run: Run): void {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run)
}

/** Also passes the scheduler, for injection: in `run`, its `now()` is virtual. */
export function marblesWith(run: (helpers: Parameters<Run>[0], scheduler: TestScheduler) => void): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run((helpers) => run(helpers, scheduler))
}
