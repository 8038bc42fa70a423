import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { step } from '../../../server/startProgress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function run(ms: number, outcome: () => string): Promise<{ lines: string[]; result: unknown }> {
  const lines: string[] = []
  const logger = { info: (line: string) => void lines.push(line) }
  const work = new Promise<void>((resolve) => setTimeout(resolve, ms)).then(outcome)
  const stepped = step(logger, 'reading the log', () => work).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(ms)
  return { lines, result: await stepped }
}

it('says nothing of a quick step', async () => {
  expect(await run(900, () => 'read')).toEqual({ lines: [], result: 'read' })
})

it('says of a slow step what it does and how long it took, also if it fails', async () => {
  const lines = ['starting: reading the log …', 'starting: reading the log: 5 s']
  expect(await run(5000, () => 'read')).toEqual({ lines, result: 'read' })
  const failure = new Error('damaged')
  const fail = (): string => {
    throw failure
  }
  expect(await run(5000, fail)).toEqual({ lines, result: failure })
})
