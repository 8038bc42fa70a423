import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { runCommand } from '../../packages/uptick/src/cli/runCommand.ts'
import { ended } from '../../packages/uptick/src/cli/untilEnd.ts'
import { logKeys } from '../support/sampleLog.ts'
import { withServer } from '../support/withServer.ts'
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

it('Ctrl-C ends a replay that is in the middle of a request', async () => {
  const run = openUptick(['replay', recording, '--port', '0', '--pause'])
  await expect.poll(() => run.output.out).toContain(' at http')
  const { port, hostname } = new URL(run.output.out.trim().split(' ').at(-1)!)
  const socket = connect(Number(port), hostname)
  // The answer to the first request says that the begun one arrived, too.
  socket.write(
    'GET /replay HTTP/1.1\r\nHost: a\r\n\r\nPOST /replay HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
  )
  await once(socket, 'data')
  run.interrupt()
  expect(await run.ended).toMatchObject({ code: 0, err: '' })
  socket.destroy()
})

it('Ctrl-C ends verify while a venue does not answer, or not to the end', async () => {
  for (const begin of ['', 'half']) {
    let asked = (): void => undefined
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    const { url } = await withServer((_request, response) => {
      if (begin !== '') response.write(begin)
      asked()
    })
    const run = openUptick(['verify', '--venue', url, '--log', logKeys.logKey])
    await isAsked
    run.interrupt()
    expect(await run.ended).toEqual({ code: 2, out: '', err: 'uptick verify: interrupted\n' })
  }
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
