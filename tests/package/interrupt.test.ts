import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { runCommand } from '../../packages/uptick/src/cli/runCommand.ts'
import { ended } from '../../packages/uptick/src/cli/untilEnd.ts'
import { logKeys } from '../support/sampleLog.ts'
import { killUpticks, openUptick, startUptick } from '../support/uptickCommand.ts'

afterEach(async () => {
  vi.useRealTimers()
  await killUpticks()
})
const folder = mkdtempSync(join(tmpdir(), 'uptick-interrupt-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const recording = join(folder, 'A.csv')
writeFileSync(recording, 'ts_ms,price,size,bid,ask\n1700000000000,10.5,1,,\n')

it('Ctrl-C ends convert, which leaves nothing behind', async () => {
  const output = join(folder, 'out.csv')
  const { child, ended: end } = startUptick(['convert', '-', '-o', output])
  const rows = Array.from({ length: 4000 }, (_, i) => `${1_700_000_000_000 + i},10.5,1,,\n`)
  child.stdin.write(`ts_ms,price,size,bid,ask\n${rows.join('')}`)
  await expect.poll(() => existsSync(`${output}.part`)).toBe(true)
  child.kill('SIGINT')
  expect(await end).toEqual({ code: 2, out: '', err: 'uptick convert: interrupted\n' })
  expect(readdirSync(folder)).toEqual(['A.csv'])
})

it('a command that only reads leaves Ctrl-C to the process', async () => {
  const interruptSignal = vi.fn(() => new AbortController().signal)
  const ignore = (): void => undefined
  for (const command of ['info', 'check'])
    expect(await runCommand([command, recording], { print: ignore, note: ignore, interruptSignal })).toBe(0)
  expect(interruptSignal).not.toHaveBeenCalled()
})

it.each([
  ['replay', recording, '--port', '0'],
  ['exchange', '--port', '0'],
  ['witness', join(folder, 'witness'), '--name', 'w.test', '--log', logKeys.logKey, '--port', '0'],
])('Ctrl-C while %s begins ends it', async (...args) => {
  const run = openUptick(args)
  run.interrupt()
  expect(await run.ended).toMatchObject({ code: 0, err: '' })
})

it('waits for longer than a timer of Node can', async () => {
  vi.useFakeTimers()
  const monthMs = 30 * 86_400_000
  let isEnded = false
  void ended(new AbortController().signal, monthMs).then(() => (isEnded = true))
  await vi.advanceTimersByTimeAsync(monthMs - 1)
  expect(isEnded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isEnded).toBe(true)
})
