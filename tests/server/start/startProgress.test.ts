import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endProgress, showProgress, step } from '../../../server/start/startProgress.ts'

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

it('a terminal shows at once and each second the step that began first', async () => {
  let line = ''
  const terminal = { write: (text: string): void => void (line = text.replace('\r\u001b[K', '')) }
  const work = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const logger = { info: (): void => undefined }
  showProgress(terminal)
  const both = Promise.all([
    step(logger, 'opening the database', work(3000)),
    step(logger, 'loading products', work(5000)),
  ])
  expect(line).toBe('Opening the database … 0 s')
  await vi.advanceTimersByTimeAsync(2000)
  expect(line).toBe('Opening the database … 2 s')
  await vi.advanceTimersByTimeAsync(2000)
  expect(line).toBe('Loading products … 4 s')
  await vi.advanceTimersByTimeAsync(1000)
  await both
  endProgress()
  expect(line).toBe('')
  await vi.advanceTimersByTimeAsync(2000)
  expect(line).toBe('')
})
