import { describe, expect, it } from 'vitest'
import { neighbourOf, productSections } from '../../../../../src/pages/product/switcher/sections.ts'
import type { Product } from '../../../../../streams/index.ts'

const catalog = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as Product)
const ids = (products: readonly Product[]): string => products.map(({ id }) => id).join('')

describe('the switcher', () => {
  it('has each product once: favourites, those seen last, the others', () => {
    const { favourites, seen, others } = productSections(catalog, ['c', 'gone'], ['d', 'c', 'gone', 'a'])
    expect([ids(favourites), ids(seen), ids(others)]).toEqual(['c', 'da', 'b'])
  })
  it.each([
    ['c', 1, 'a'],
    ['b', 1, 'd'],
    ['d', 1, 'c'],
    ['c', -1, 'd'],
    ['gone', 1, 'c'],
  ] as const)('goes from %s by %i to %s, favourites first', (id, step, next) => {
    expect(neighbourOf(catalog, ['c'], id, step)).toBe(next)
  })
  it('has no neighbour for the only product', () => {
    expect(neighbourOf(catalog.slice(0, 1), [], 'a', 1)).toBeUndefined()
  })
})
