import { describe, expect, it } from 'vitest'
import { emptyList, reduceList } from '../../../../src/pages/wallet/list.ts'
import type { ListAction, ListRules, ListState } from '../../../../src/pages/wallet/list.ts'

type Item = { id: string; at: number; version: number; kind?: string }
const rules: ListRules<Item> = {
  belongs: ({ kind }) => kind !== 'other',
  compare: (a, b) => b.at - a.at,
  isNewer: (known, next) => next.version > known.version,
}
const item = (id: string, at: number, version = 1, kind?: string): Item => ({
  id,
  at,
  version,
  ...(kind === undefined ? {} : { kind }),
})
const run = (...actions: ListAction<Item>[]): ListState<Item> =>
  actions.reduce<ListState<Item>>((state, action) => reduceList(rules, state, action), emptyList)
const page = (items: Item[], cursor: string | null, fresh: boolean): ListAction<Item> => ({
  kind: 'page',
  items,
  cursor,
  fresh,
})
const event = (received: Item): ListAction<Item> => ({ kind: 'event', item: received })
const ids = (state: ListState<Item>): string[] => state.items.map(({ id, version }) => `${id}${version}`)

describe('reduceList', () => {
  it('appends pages, newest first, without duplicating an item from an event', () => {
    const state = run(
      page([item('c', 3), item('b', 2)], 'next', true),
      event(item('d', 4)),
      page([item('b', 2), item('a', 1)], null, false),
    )
    expect(ids(state)).toEqual(['d1', 'c1', 'b1', 'a1'])
    expect(state.cursor).toBeNull()
  })

  it('replaces an item with a newer version, never with an older one', () => {
    const first = run(page([item('a', 1, 2)], null, true))
    expect(ids(reduceList(rules, first, event(item('a', 1, 3))))).toEqual(['a3'])
    expect(reduceList(rules, first, event(item('a', 1, 2)))).toBe(first)
    expect(reduceList(rules, first, event(item('a', 1, 1)))).toBe(first)
  })

  it('ignores an item that does not belong to the list', () => {
    const first = run(page([item('a', 1)], null, true))
    expect(reduceList(rules, first, event(item('b', 2, 1, 'other')))).toBe(first)
  })

  it('retains items received while the first page was loading, and starts over after a reconnect', () => {
    const state = run(
      page([item('old', 0), item('a', 1)], 'next', true),
      { kind: 'requested' },
      event(item('b', 2)),
      event(item('a', 1, 2)),
      page([item('a', 1, 1)], null, true),
    )
    expect(ids(state)).toEqual(['b1', 'a2'])
  })

  it('retains its items after a failure', () => {
    const state = run(
      page([item('a', 1)], 'next', true),
      { kind: 'requested' },
      { kind: 'failed', failure: { kind: 'offline' } },
    )
    expect(ids(state)).toEqual(['a1'])
    expect(state).toMatchObject({ loading: false, cursor: 'next', failure: { kind: 'offline' } })
  })
})
