import { describe, expect, it } from 'vitest'
import { noPages, reducePages } from '../../../src/hooks/usePages.ts'
import type { PagesAction, PagesState } from '../../../src/hooks/usePages.ts'

type Item = { id: string; text?: string }
const page = (ids: string, nextCursor: string | null = null) => ({
  items: Array.from(ids, (id): Item => ({ id })),
  nextCursor,
})
const reduce = (...actions: PagesAction<Item>[]): PagesState<Item> =>
  actions.reduce<PagesState<Item>>(reducePages, noPages)
const ids = ({ items }: PagesState<Item>) => items.map(({ id }) => id).join('')

describe('reducePages', () => {
  it('is loading until its first page', () => {
    expect(noPages).toMatchObject({ loading: true, cursor: undefined, items: [] })
  })

  it('appends pages without duplicates', () => {
    const state = reduce(
      { kind: 'first', page: page('fed', 'd') },
      { kind: 'requested' },
      { kind: 'more', page: page('dcb', 'b') },
      { kind: 'more', page: page('a') },
    )
    expect(ids(state)).toBe('fedcba')
    expect(state).toMatchObject({ cursor: null, loading: false })
  })

  it('puts a new first page before the loaded items if they overlap', () => {
    const state = reduce(
      { kind: 'first', page: page('fed', 'd') },
      { kind: 'more', page: page('cba') },
      { kind: 'requested' },
      { kind: 'first', page: page('hgf', 'f') },
    )
    expect(ids(state)).toBe('hgfedcba')
    expect(state.cursor).toBeNull()
  })

  it('replaces items by their newer version', () => {
    const renewed = { items: [{ id: 'b', text: 'new' }, { id: 'a' }], nextCursor: null }
    const state = reduce({ kind: 'first', page: page('ba') }, { kind: 'first', page: renewed })
    expect(state.items).toEqual(renewed.items)
    expect(state.cursor).toBeNull()
  })

  it('starts over if the new page does not overlap', () => {
    const state = reduce({ kind: 'first', page: page('cba') }, { kind: 'first', page: page('zyx', 'x') })
    expect([ids(state), state.cursor]).toEqual(['zyx', 'x'])
  })

  it('keeps its items if a page fails, and clears the failure with the next request', () => {
    const failed = reduce(
      { kind: 'first', page: page('ba', 'a') },
      { kind: 'failed', failure: { kind: 'offline' } },
    )
    expect([ids(failed), failed.failure, failed.cursor]).toEqual(['ba', { kind: 'offline' }, 'a'])
    expect(reducePages(failed, { kind: 'requested' })).toMatchObject({ failure: undefined, loading: true })
  })
})
