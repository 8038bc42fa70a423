import { expect, it } from 'vitest'
import { productIdOf, recordingPath } from '../../packages/uptick/src/cli/recordingNames.ts'

it('a path stays as it is, a name is a file of the samples', () => {
  for (const path of ['missing.csv', 'a/b.csv.gz', 'day.zip', 'package.json'])
    expect(recordingPath(path)).toBe(path)
  expect(recordingPath('btc-2022-01-15')).toMatch(/samples.btc-2022-01-15\.csv\.gz$/)
  expect(() => recordingPath('btc')).toThrow('no recording btc: there are btc-2022-01-15')
})

it.each([
  ['recorded/BTCUSDT_2026-11-30_2.csv', 'BTCUSDT'],
  ['btc-2022-01-15.csv.gz', 'BTC'],
  ['eurusd.csv.zip', 'EURUSD'],
  ['BTC-USD.csv', 'BTC-USD'],
])('%s is of the product %s', (path, id) => {
  expect(productIdOf(path)).toBe(id)
})

it('a file without a name has no product', () => {
  expect(() => productIdOf('a/_2026.csv')).toThrow('a/_2026.csv has no name for its product')
})
