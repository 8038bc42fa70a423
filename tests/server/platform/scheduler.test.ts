import { expect, it } from 'vitest'
import { createScheduler } from '../../../server/platform/scheduler.ts'
import { manualClock } from '../../support/manualClock.ts'

function setup() {
  const clock = manualClock(0)
  const ranAt: number[] = []
  const reported: string[] = []
  const scheduler = createScheduler(clock, (message) => void reported.push(message))
  const record = (nextMs: number) => () => {
    ranAt.push(clock.now())
    return nextMs
  }
  return { clock, ranAt, reported, scheduler, record }
}

it('runs a task again after the time that it returns', async () => {
  const { clock, ranAt, scheduler } = setup()
  const run = () => {
    ranAt.push(clock.now())
    return ranAt.length * 10
  }
  scheduler.add({ failure: 'failed', run, firstMs: 5, retryMs: 1 })
  await clock.advance(40)
  expect(ranAt).toEqual([5, 15, 35])
})

it('reports a failed run and tries it again after the retry time', async () => {
  const { clock, ranAt, reported, scheduler } = setup()
  const run = () => {
    ranAt.push(clock.now())
    if (ranAt.length < 3) throw new Error('broken')
    return 100
  }
  scheduler.add({ failure: 'the task failed', run, firstMs: 0, retryMs: 7 })
  await clock.advance(50)
  expect(ranAt).toEqual([0, 7, 14])
  expect(reported).toEqual(['the task failed', 'the task failed'])
})

it('runs a task on request, and then counts from that run', async () => {
  const { clock, ranAt, scheduler, record } = setup()
  const task = scheduler.add({ failure: 'failed', run: record(10), retryMs: 1 })
  await clock.advance(100)
  expect(ranAt).toEqual([])
  await task.runNow()
  await clock.advance(10)
  task.runIn(3)
  await clock.advance(5)
  expect(ranAt).toEqual([100, 110, 113])
  expect(clock.pending()).toBe(1)
})

it('never runs a task beside itself, and waits for its run when stopped', async () => {
  const { clock, ranAt, scheduler } = setup()
  let finish = (): void => undefined
  const run = async () => {
    ranAt.push(clock.now())
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return 10
  }
  const task = scheduler.add({ failure: 'failed', run, retryMs: 1 })
  const first = task.runNow()
  expect(task.runNow()).toBe(first)
  const events: string[] = []
  const stopped = scheduler.stop().then(() => events.push('stopped'))
  events.push('finishing')
  finish()
  await stopped
  await task.runNow()
  expect(events).toEqual(['finishing', 'stopped'])
  expect(ranAt).toEqual([0])
  expect(clock.pending()).toBe(0)
})
