import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { fundConfig, holidaysConfig, per10kOf } from '../../../../server/money/fund/fundConfig.ts'

const parse = (config: unknown) => z.parse(fundConfig, config)

it('omitted settings have defaults', () => {
  expect(parse({})).toMatchObject({
    depositsPerDay: 5,
    withdrawalsPerDay: 3,
    fastCapPerDay: '10000.00',
    minDeposit: '1.00',
  })
})

it('a published rate applies from its day until the next', () => {
  const config = parse({
    per10k: { '2026-02-01': '0.5000', '2026-03-01': '0.4000' },
    practicePer10k: ['0.1000'],
  })
  expect(per10kOf(config, true, '2026-01-31')).toBe(1000)
  expect(per10kOf(config, false, '2026-01-31')).toBe(0)
  expect(per10kOf(config, true, '2026-02-01')).toBe(5000)
  expect(per10kOf(config, false, '2026-02-28')).toBe(5000)
  expect(per10kOf(config, false, '2030-01-01')).toBe(4000)
})

it('practice rates repeat in a fixed cycle', () => {
  const config = parse({ practicePer10k: ['0.1000', '0.2000', '0.3000'] })
  const week = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']
  const rates = week.map((day) => per10kOf(config, true, day))
  expect(new Set(rates).size).toBe(3)
  expect(rates[3]).toBe(rates[0])
  expect(week.map((day) => per10kOf(config, true, day))).toEqual(rates)
})

it.each([
  { depositsPerDay: 0 },
  { withdrawalsPerDay: 1.5 },
  { fastCapPerDay: '10000' },
  { minDeposit: '0.00' },
  { per10k: { '2026-02-01': '0.5' } },
  { per10k: { tomorrow: '0.5000' } },
  { practicePer10k: [] },
  { practicePer10k: ['101.0000'] },
])('rejects %j', (config) => {
  expect(z.safeParse(fundConfig, config).success).toBe(false)
})

it('holidays must be existing dates', () => {
  expect(z.safeParse(holidaysConfig, ['2026-02-17']).success).toBe(true)
  for (const day of ['2026-02-30', '2026-13-01', '17.02.2026'])
    expect(z.safeParse(holidaysConfig, [day]).success).toBe(false)
})
