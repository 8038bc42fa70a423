import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { formats } from '../../packages/uptick/src/cli/formats/table.ts'
import { runUptick } from '../support/uptickCommand.ts'
import { sampleTicks, type SampleTick } from './sampleColumns.ts'

const samples = 'tests/package/samples'
const folder = mkdtempSync(join(tmpdir(), 'uptick-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stated = ['file', 'format', 'rows', 'repository', 'path', 'commit', 'licence'] as const
type Sample = Record<(typeof stated)[number], string>
const manifest = JSON.parse(readFileSync(`${samples}/MANIFEST.json`, 'utf8')) as {
  samples: Sample[]
  elsewhere: Record<string, string>
}
const named = ['--columns', 'time=timestamp,price=price,size=quantity']

/** The rows of a recording in this project's own format. */
const ticksOf = (recording: string): SampleTick[] =>
  recording
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
    .map(([at, ...values]) => [
      Number(at),
      ...values.slice(0, 4).map((value) => (value === '' ? null : Number(value))),
    ])

const recordings: [RegExp, string][] = [
  [/^ltcusdt/i, 'LTCUSDT_binance_spot_2025-06-21T1820.csv.gz'],
  [/^eurusd/i, 'EURUSD_dukascopy_2019-02-04.csv.gz'],
]
/** What the project's own recording has between the first and the last tick of a sample; undefined: there is none. */
function recordedTicks(file: string, ticks: readonly SampleTick[]): SampleTick[] | undefined {
  const recording = recordings.find(([name]) => name.test(file))?.[1]
  if (recording === undefined) return undefined
  const [from, to] = [ticks[0]![0], ticks.at(-1)![0]]
  const recorded = ticksOf(gunzipSync(readFileSync(`streams/recordings/${recording}`)).toString())
  return recorded.filter(([at]) => at >= from && at <= to)
}

it.each(manifest.samples.map((sample) => [sample.file, sample] as const))(
  '%s becomes a recording with the instants, prices and sizes that it has',
  async (file, { format }) => {
    const path = join(folder, `${file.replaceAll('/', '-')}.out.csv`)
    const args = format === 'columns as given' ? named : []
    const { code, out, err } = await runUptick('convert', `${samples}/${file}`, '-o', path, ...args)
    // Nothing is left out.
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const ticks = ticksOf(readFileSync(path, 'utf8'))
    expect(out.replace(/ ticks of \S+,/, ' ticks,')).toContain(`: ${ticks.length} ticks, from ${format}\n`)
    const expected = [
      sampleTicks[format]?.(readFileSync(`${samples}/${file}`, 'utf8')),
      recordedTicks(file, ticks),
    ].filter((each) => each !== undefined)
    expect(expected.length).toBeGreaterThan(0)
    for (const each of expected) expect(ticks).toEqual(each)
    expect(ticks.length).toBeGreaterThanOrEqual(3)
    expect(await runUptick('check', path)).toEqual({
      code: 0,
      out: `${ticks.length} ticks, in order\n`,
      err: '',
    })
  },
)

it('the manifest has every sample with its origin and licence, and every format', () => {
  expect(manifest.samples.map(({ file }) => file).sort()).toEqual(
    readdirSync(samples, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'MANIFEST.json')
      .map((entry) => join(entry.parentPath, entry.name).slice(samples.length + 1))
      .sort(),
  )
  const real = new Set(manifest.samples.map(({ format }) => format))
  real.delete('columns as given')
  expect([...real, ...Object.keys(manifest.elsewhere)].sort()).toEqual(formats.map(({ name }) => name).sort())
  for (const sample of manifest.samples)
    expect(stated.filter((key) => (sample[key] ?? '') === '')).toEqual([])
})
