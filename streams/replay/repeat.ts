import { Subscription, type SchedulerLike } from 'rxjs'

/** The same by a scheduler whose actions can be scheduled again. */
export type Repeat = (firstMs: number, work: () => number | undefined) => Subscription

/**
 * Runs `work` after `firstMs`, and again after as many ms as it returns, until it returns undefined. Each run is a new
 * action: an action of a virtual scheduler that reschedules itself builds a chain of children, which overflows the
 * stack when it ends after some thousand runs.
 */
export function scheduleRepeating(
  scheduler: SchedulerLike & { repeat?: Repeat },
  firstMs: number,
  work: () => number | undefined,
): Subscription {
  if (scheduler.repeat) return scheduler.repeat(firstMs, work)
  let current: Subscription | undefined
  let turn = 0
  const all = new Subscription(() => current?.unsubscribe())
  const scheduleNext = (ms: number): void => {
    const mine = ++turn
    const action = scheduler.schedule(() => {
      const next = work()
      if (next !== undefined && !all.closed) scheduleNext(next)
    }, ms)
    // Some schedulers run an action synchronously: the next one may be scheduled already.
    if (mine === turn) current = action
  }
  scheduleNext(firstMs)
  return all
}
