import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseRecording } from '../../../../contract/recording.ts'
import { narrowed, packColumns, unpackColumns } from '../../../../server/market/feed/builtColumns.ts'
import { readRecording } from '../../../../server/market/feed/recordingFile.ts'
import { projectRoot } from '../../../../server/platform/paths.ts'

const header = 'ts_ms,price,size,bid,ask\n'

it.each(['IF2101_2021-01-04.csv.gz', 'BTCUSD_dukascopy_2023-02-20.csv.gz'])(
  'the columns of %s are those of its text',
  async (file) => {
    const path = { dir: join(projectRoot, 'streams/recordings'), file }
    const { recording } = await readRecording(path, { price: 2, size: undefined })
    const read = unpackColumns(packColumns(recording))
    const numbers = ({ at, price, size, ...rest }: typeof recording): object => ({
      ...rest,
      columns: [at, price, size].map((column) => [...column]),
    })
    expect(numbers(read)).toEqual(numbers(recording))
  },
)

it('numbers of more than 32 bits keep all their digits, and what is no tick is counted', () => {
  const text = `${header}1700000000000,90000000.01,1,,\nnot a row\n1709999999999,90000000.02,45000000000000,,\n`
  const recording = parseRecording(text, 2, 0)
  const read = unpackColumns(packColumns(recording))
  expect([...read.at]).toEqual([1_700_000_000_000, 1_709_999_999_999])
  expect([...read.price]).toEqual([9_000_000_001, 9_000_000_002])
  expect([...read.size]).toEqual([1, 45_000_000_000_000])
  expect(read.skippedRows).toEqual(recording.skippedRows)
  expect(read.skipped).toBe(1)
})

it('a column has 32 bits a number if all of its numbers fit', () => {
  expect(narrowed(Float64Array.of(0, 2 ** 32 - 1))).toEqual(Uint32Array.of(0, 2 ** 32 - 1))
  expect(narrowed(Float64Array.of(0, 2 ** 32))).toEqual(Float64Array.of(0, 2 ** 32))
})

it('a file that was cut off anywhere is an error that a start knows', () => {
  const whole = packColumns(parseRecording(`${header}1700000000000,1.5,1,,\n1700000001000,1.6,1,,\n`, 2, 0))
  for (let bytes = 0; bytes < whole.length - 8; bytes += 1) {
    let error: unknown
    try {
      unpackColumns(whole.slice(0, bytes))
    } catch (thrown) {
      error = thrown
    }
    expect([bytes, error instanceof RangeError || error instanceof SyntaxError]).toEqual([bytes, true])
  }
})
