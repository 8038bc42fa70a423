import { expect, it } from 'vitest'
import { runJobs } from '../../../server/platform/jobs.ts'
import { manualClock } from '../../support/manualClock.ts'

it('runs each job at its own interval, reports a failure and runs the job again', async () => {
  const clock = manualClock(0)
  const ran: string[] = []
  const failed: string[] = []
  const job = (name: string, everyMs: number, fails = false) => ({
    name,
    everyMs,
    run: async () => {
      ran.push(`${name}@${clock.now()}`)
      if (fails) throw new Error(name)
    },
  })
  const stop = runJobs(clock, [job('a', 100), job('b', 250, true)], (message) => void failed.push(message))
  await clock.advance(500)
  expect(ran).toEqual(['a@100', 'a@200', 'b@250', 'a@300', 'a@400', 'b@500', 'a@500'])
  expect(failed).toEqual(['b: failed', 'b: failed'])
  await stop()
  expect(clock.pending()).toBe(0)
})

it('waits for running jobs when stopped and starts no more', async () => {
  const clock = manualClock(0)
  let finish = (): void => undefined
  let runs = 0
  const run = () => {
    runs += 1
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  }
  const stop = runJobs(clock, [{ name: 'slow', everyMs: 10, run }], () => undefined)
  const advanced = clock.advance(1000)
  const order: string[] = []
  const stopped = stop().then(() => order.push('stopped'))
  await Promise.resolve()
  order.push('finishing')
  finish()
  await stopped
  await advanced
  expect(order).toEqual(['finishing', 'stopped'])
  expect(runs).toBe(1)
  expect(clock.pending()).toBe(0)
})
