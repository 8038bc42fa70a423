import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { formats } from '../../packages/uptick/src/cli/formats/table.ts'
import { runUptick } from '../support/uptickCommand.ts'

const samples = 'tests/package/samples'
const folder = mkdtempSync(join(tmpdir(), 'uptick-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Sample = { file: string; format: string; licence: string; repository: string; commit: string }
const manifest = JSON.parse(readFileSync(`${samples}/MANIFEST.json`, 'utf8')) as {
  samples: Sample[]
  madeUp: string[]
  elsewhere: Record<string, string>
}
const named = ['--columns', 'time=timestamp,price=price,size=quantity']

/** The rows of a recording between two instants, bid and ask or price and size as they are there. */
const recordedRows = (file: string, from: number, to: number): string[][] =>
  gunzipSync(readFileSync(`streams/recordings/${file}`))
    .toString()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',').slice(0, 5))
    .filter(([at]) => Number(at) >= from && Number(at) <= to)
const numbers = (rows: readonly string[][]): number[][] => rows.map((row) => row.map(Number))

it.each(manifest.samples.map((sample) => [sample.file, sample] as const))(
  '%s becomes the rows that the project’s own recording of it has',
  async (file, { format }) => {
    const made = join(folder, `${file}.out.csv`)
    const args = format === 'columns as given' ? named : []
    const { code, out, err } = await runUptick('convert', `${samples}/${file}`, '-o', made, ...args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`12 ticks, from ${format}`)
    const rows = readFileSync(made, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','))
    const [from, to] = [Number(rows[0]![0]), Number(rows.at(-1)![0])]
    const recording = file.toLowerCase().startsWith('ltc')
      ? 'LTCUSDT_binance_spot_2025-06-21T1820.csv.gz'
      : 'EURUSD_dukascopy_2019-02-04.csv.gz'
    expect(numbers(rows)).toEqual(numbers(recordedRows(recording, from, to)))
  },
)

it('the manifest has every sample, and every format either there or as made up', () => {
  expect(manifest.samples.map(({ file }) => file).sort()).toEqual(
    readdirSync(samples)
      .filter((name) => name !== 'MANIFEST.json')
      .sort(),
  )
  const real = manifest.samples.map(({ format }) => format).filter((name) => name !== 'columns as given')
  expect([...real, ...manifest.madeUp, ...Object.keys(manifest.elsewhere)].sort()).toEqual(
    formats.map(({ name }) => name).sort(),
  )
  expect(manifest.samples.every(({ licence }) => licence === 'MIT')).toBe(true)
})
