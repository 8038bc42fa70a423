import { describe, expect, it } from 'vitest'
import { parseLine } from '../../../../../src/pages/product/indicators/parseLine.ts'
import { parseParams } from '../../../../../src/pages/product/indicators/parseParams.ts'

describe('parameters as typed', () => {
  it.each([
    ['MA', ['5', ' 10', '２０'], { ok: true, params: [5, 10, 20] }],
    ['MA', ['5', '', '20'], { ok: false, at: 1, error: 'bars' }],
    ['MA', ['5', '10', '1'], { ok: false, at: 2, error: 'bars' }],
    ['MA', ['2.5', '10', '20'], { ok: false, at: 0, error: 'bars' }],
    ['MA', ['501', '10', '20'], { ok: false, at: 0, error: 'bars' }],
    ['RSI', ['1e2'], { ok: false, at: 0, error: 'bars' }],
    ['BOLL', ['20', '2,5'], { ok: true, params: [20, 2.5] }],
    ['BOLL', ['20', '0'], { ok: false, at: 1, error: 'deviations' }],
    ['BOLL', ['20', '10.5'], { ok: false, at: 1, error: 'deviations' }],
    ['MACD', ['26', '12', '9'], { ok: false, at: 0, error: 'order' }],
    ['KDJ', ['9', '3', '3'], { ok: true, params: [9, 3, 3] }],
  ] as const)('%s %j', (kind, texts, expected) => {
    expect(parseParams(kind, texts)).toEqual(expected)
  })
})

describe('a horizontal line as typed', () => {
  it.each([
    ['1.14275', '', 5, { units: 114_275, name: '' }],
    ['1,1', ' Support ', 5, { units: 110_000, name: 'Support' }],
    ['６３１２０', '支撑', 2, { units: 6_312_000, name: '支撑' }],
    ['20', '🚀'.repeat(20), 0, { units: 20, name: '🚀'.repeat(20) }],
    ['', '', 2, { price: true }],
    ['0.00', '', 2, { price: true }],
    ['-1', '', 2, { price: true }],
    ['1.005', '', 2, { price: true }],
    ['1,234.5', '', 2, { price: true }],
    ['9'.repeat(20), '', 2, { price: true }],
    ['x', 'n'.repeat(21), 2, { price: true, name: true }],
  ] as const)('%s %j at %d decimals', (price, name, decimals, expected) => {
    expect(parseLine({ price, name }, decimals)).toEqual(expected)
  })
})
