import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { RowFiles, parseRotation } from '../../packages/uptick/src/cli/rowFiles.ts'
import { progressText, showProgress } from '../../packages/uptick/src/cli/untilEnd.ts'

const root = mkdtempSync(join(tmpdir(), 'uptick-rows-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
afterEach(() => void vi.useRealTimers())

const header = 'at,n'
const noon = Date.UTC(2026, 10, 30, 12)
const dayMs = 86_400_000
const open = (folder: string, rotation: string | null) =>
  new RowFiles({ folder, name: 'A', header, rotation: rotation === null ? null : parseRotation(rotation) })
const add = (files: RowFiles, ...rows: (readonly [at: number, n: number])[]): void => {
  for (const [at, n] of rows) files.add(at, `${at},${n}\n`)
  files.flush()
}
/** The second column of each file. */
const found = (folder: string): Record<string, string[]> =>
  Object.fromEntries(
    readdirSync(folder).map((file) => {
      const [first, ...rows] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
      expect(first).toBe(header)
      return [file, rows.map((row) => row.split(',')[1] ?? '')]
    }),
  )
const folder = (): string => mkdtempSync(join(root, 'f-'))

describe('the files of a recording', () => {
  it('are one without a rotation', () => {
    const at = folder()
    const files = open(at, null)
    add(files, [noon, 1], [noon + dayMs, 2])
    files.close()
    expect(found(at)).toEqual({ 'A.csv': ['1', '2'] })
  })

  it('go on in another one with each day, and never in an older one', () => {
    const at = folder()
    const files = open(at, 'day')
    add(files, [noon, 1], [noon + dayMs / 2 - 1, 2], [noon + dayMs / 2, 3])
    add(files, [noon + dayMs / 2 - 1, 4], [noon + 3 * dayMs, 5])
    expect(files.count).toBe(3)
    files.close()
    expect(found(at)).toEqual({
      'A_2026-11-30.csv': ['1', '2'],
      'A_2026-12-01.csv': ['3', '4'],
      'A_2026-12-03.csv': ['5'],
    })
  })

  it('have no more bytes than they may, but at least a row each', () => {
    const at = folder()
    const files = open(at, 'day,1kB')
    add(files, ...Array.from({ length: 120 }, (_, n) => [noon, n + 1] as const))
    files.close()
    const sizes = readdirSync(at).map((file) => readFileSync(join(at, file)).length)
    expect(readdirSync(at).toSorted()).toEqual(
      ['A_2026-11-30.csv', 'A_2026-11-30_2.csv', 'A_2026-11-30_3.csv'].toSorted(),
    )
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000)
    expect(
      Object.values(found(at))
        .flat()
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 120 }, (_, n) => n + 1))
    const tiny = folder()
    const each = new RowFiles({ folder: tiny, name: 'A', header, rotation: { isDaily: false, bytesMax: 1 } })
    add(each, [noon, 1], [noon, 2])
    each.close()
    expect(Object.values(found(tiny))).toEqual([['1'], ['2']])
  })

  it('are continued where they ended, without a row that was written in part', () => {
    const at = folder()
    const first = open(at, 'day,1kB')
    add(first, ...Array.from({ length: 510 }, (_, n) => [noon, n + 1] as const))
    first.close()
    expect(readdirSync(at)).toContain('A_2026-11-30_10.csv')
    appendFileSync(join(at, 'A_2026-11-30_10.csv'), `${noon},5`)
    const again = open(at, 'day,1kB')
    expect(again.last).toEqual([String(noon), '510'])
    add(again, [noon, 511], [noon + dayMs, 512])
    again.close()
    const all = found(at)
    expect(all['A_2026-11-30_10.csv']?.slice(-2)).toEqual(['510', '511'])
    expect(all['A_2026-12-01.csv']).toEqual(['512'])
  })

  it('follow the last row of an earlier one if the newest has none, and of one without a rotation', () => {
    const at = folder()
    const single = open(at, null)
    add(single, [noon, 1])
    single.close()
    expect(open(at, 'day').last).toEqual([String(noon), '1'])
    writeFileSync(join(at, 'A_2026-12-01.csv'), `${header}\n`)
    const daily = open(at, 'day')
    expect({ last: daily.last, first: daily.first }).toEqual({ last: [String(noon), '1'], first: null })
    add(daily, [noon + dayMs, 2])
    daily.close()
    expect(found(at)).toEqual({ 'A.csv': ['1'], 'A_2026-12-01.csv': ['2'] })
  })

  it('may be without a header and of another ending, and rotate and continue as those with one do', () => {
    const at = folder()
    /** 299 bytes: three are in a file of 1 kB. */
    const message = (n: number): string => `${n}${'語'.repeat(99)}\n`
    const addMessages = (rotation: string | null, ...numbers: readonly [at: number, n: number][]): void => {
      const files = new RowFiles({
        folder: at,
        name: 'A',
        ending: '.ndjson',
        header: null,
        rotation: rotation === null ? null : parseRotation(rotation),
      })
      for (const [instant, n] of numbers) files.add(instant, message(n))
      files.flush()
      files.close()
    }
    const rows = open(at, 'day')
    add(rows, [noon, 1])
    rows.close()
    addMessages(null, [noon, 0])
    addMessages('day,1kB', [noon, 1], [noon, 2], [noon, 3], [noon, 4])
    appendFileSync(join(at, 'A_2026-11-30_2.ndjson'), message(5).slice(0, -2))
    addMessages('day,1kB', [noon, 6], [noon + dayMs, 7])
    const messages = readdirSync(at).filter((file) => file.endsWith('.ndjson'))
    expect(Object.fromEntries(messages.map((file) => [file, readFileSync(join(at, file), 'utf8')]))).toEqual({
      'A.ndjson': message(0),
      'A_2026-11-30.ndjson': message(1) + message(2) + message(3),
      'A_2026-11-30_2.ndjson': message(4) + message(6),
      'A_2026-12-01.ndjson': message(7),
    })
  })

  it('are of one process: another one ends before it adds what the first one adds too', () => {
    const at = folder()
    const [first, second] = [open(at, null), open(at, null)]
    add(first, [noon, 1])
    expect(() => add(second, [noon, 1])).toThrow(`another program writes to ${join(at, 'A.csv')} too`)
    add(first, [noon, 2])
    for (const files of [first, second]) files.close()
    expect(found(at)).toEqual({ 'A.csv': ['1', '2'] })
  })

  it('end with an error where the disk does not take a whole row', () => {
    const at = folder()
    const code = `
      const { RowFiles } = await import('./packages/uptick/src/cli/rowFiles.ts')
      const files = new RowFiles({ folder: '${at}', name: 'A', header: 'at,n', rotation: null })
      files.add(1, '1,' + '2'.repeat(2000) + '\\n')
      try { files.flush() } catch (error) { process.stdout.write(error.code) }`
    // No file may have more than a kilobyte.
    const limited = execFileSync(
      'bash',
      ['-c', 'ulimit -f 1; exec "$@"', '-', process.execPath, '--import', 'tsx', '--eval', code],
      { encoding: 'utf8', env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
    )
    expect(limited).toBe('EFBIG')
  })

  it.each(['', 'week', '0MB', '10', 'day,', '1.5GB'])('cannot rotate by "%s"', (text) =>
    expect(() => parseRotation(text)).toThrow('--rotate is day, 100MB or day,100MB'),
  )
})

describe('the progress of a recording', () => {
  it('has ticks, files, the age of the last tick, and reconnects', () => {
    expect(progressText({ ticks: 1, files: 1, lastAt: null, reconnects: 0 }, noon)).toBe(
      '1 tick in 1 file, none yet, 0 reconnects',
    )
    expect(progressText({ ticks: 1200, files: 5, lastAt: noon - 2900, reconnects: 1 }, noon)).toBe(
      '1200 ticks in 5 files, the last 2 s ago, 1 reconnect',
    )
  })

  it('is a line each minute, and on a terminal one that is written again each second', () => {
    vi.useFakeTimers()
    const lines: string[] = []
    const shown: string[] = []
    const write = (text: string): boolean => shown.push(text) > 0
    let n = 0
    const note = (line: string): void => void lines.push(line)
    const ends = [false, true].map((isTTY) => showProgress(() => `${++n}`, note, { isTTY, write }))
    vi.advanceTimersByTime(59_999)
    expect(lines).toEqual([])
    expect(shown.length).toBe(59)
    vi.advanceTimersByTime(60_001)
    expect(lines.length).toBe(2)
    expect(shown[0]).toBe('\r\u001B[K1')
    for (const end of ends) end()
    expect([vi.getTimerCount(), shown.at(-1)]).toEqual([0, '\r\u001B[K'])
  })
})
