import { describe, expect, it } from 'vitest'
import { emptyList, reduceList, type ListAction, type ListMemory } from '../../../streams/member/listState.ts'
import type { ListRules } from '../../../streams/types.ts'

type Item = { id: string; at: number; version: number; closed?: boolean }

/** Open items, newest first, of which newer versions arrive. */
const versioned: ListRules<Item> = {
  belongs: ({ closed }) => closed !== true,
  compare: (a, b) => b.at - a.at,
  isNewer: (next, known) => next.version > known.version,
}
/** Items that never change, in the order in which they arrive. */
const immutable: ListRules<Item> = {}

/** `c2` is version 2 of the item that is placed by its letter; `c2!` is closed. */
function item(text: string): Item {
  const [id = '', version = '', mark] = text
  return { id, at: id.charCodeAt(0), version: Number(version), ...(mark === '!' && { closed: true }) }
}
const items = (text: string): Item[] => (text === '' ? [] : text.split(' ').map(item))
const first = (text: string, nextCursor: string | null = null, keepTail = false): ListAction<Item> => ({
  kind: 'first',
  page: { items: items(text), nextCursor },
  keepTail,
})
const more = (text: string, nextCursor: string | null = null): ListAction<Item> => ({
  kind: 'more',
  page: { items: items(text), nextCursor },
})
const received = (text: string): ListAction<Item> => ({ kind: 'received', items: items(text) })
const requested: ListAction<Item> = { kind: 'requested' }
const failed: ListAction<Item> = { kind: 'failed', failure: { kind: 'offline' } }

const run = (rules: ListRules<Item>, actions: readonly ListAction<Item>[]): ListMemory<Item> =>
  actions.reduce<ListMemory<Item>>((state, action) => reduceList(rules, state, action), emptyList)
const shown = (state: ListMemory<Item>): string =>
  state.items.map(({ id, version }) => id + version).join(' ')

describe('a list of items that change', () => {
  it.each<[what: string, actions: ListAction<Item>[], expected: string]>([
    ['appends pages', [first('d1 c1', 'c'), more('b1 a1')], 'd1 c1 b1 a1'],
    ['shows an item of two pages once', [first('d1 c1', 'c'), more('c1 b1')], 'd1 c1 b1'],
    ['sorts an item from an event into its place', [first('d1 b1'), received('c1')], 'd1 c1 b1'],
    ['replaces an item by a newer version', [first('b1 a1'), received('a2')], 'b1 a2'],
    ['keeps an item if an older version arrives', [first('b1 a3'), received('a2')], 'b1 a3'],
    [
      'keeps a newer version than its page has',
      [first('c1', 'c'), received('a2'), more('b1 a1')],
      'c1 b1 a2',
    ],
    ['takes a newer version from a page', [first('c1', 'c'), received('a1'), more('b1 a2')], 'c1 b1 a2'],
    ['removes an item that leaves the filter', [first('b1 a1'), received('a2!')], 'b1'],
    ['adds no item outside the filter', [first('b1'), received('c1!')], 'b1'],
    ['does not show an item again by an older event', [first('b1'), received('a3!'), received('a2')], 'b1'],
    ['does not show an item again by an older page', [first('b1', 'b'), received('a2!'), more('a1')], 'b1'],
    ['leaves an item below the loaded pages to its page', [first('d1 c1', 'c'), received('a1')], 'd1 c1'],
    ['shows such an item with its page', [first('d1 c1', 'c'), received('a2'), more('b1 a1')], 'd1 c1 b1 a2'],
    ['shows nothing before its first page', [received('a1')], ''],
    ['keeps what arrived before its first page', [requested, received('b2'), first('b1 a1')], 'b2 a1'],
    ['inserts what its first page missed', [requested, received('c1'), first('b1 a1')], 'c1 b1 a1'],
    [
      'removes what left while its page loaded',
      [first('b1 a1'), requested, received('a2!'), first('b1 a1')],
      'b1',
    ],
    [
      'starts over after a connect',
      [first('d1 c1', 'c'), more('b1 a1'), requested, first('e1 d1', 'd')],
      'e1 d1',
    ],
    ['forgets on a connect what came before it', [first('b1'), received('c1'), requested, first('b1')], 'b1'],
    ['keeps its items if a page fails', [first('b1 a1', 'a'), requested, failed], 'b1 a1'],
  ])('%s', (_what, actions, expected) => expect(shown(run(versioned, actions))).toBe(expected))

  it('keeps the same items if nothing that is shown changes', () => {
    const state = run(versioned, [first('b2', 'b')])
    for (const text of ['b1', 'b2', 'c1!', 'a1'])
      expect(reduceList(versioned, state, received(text)).items).toBe(state.items)
  })
})

describe('a list of items that never change', () => {
  it.each<[what: string, actions: ListAction<Item>[], expected: string]>([
    ['puts an item from an event first', [first('b1 a1'), received('z1')], 'z1 b1 a1'],
    [
      'shows it once, whether its page or its event arrives first',
      [requested, received('c1'), first('c1 b1')],
      'c1 b1',
    ],
    [
      'puts a new first page before the loaded items if they overlap',
      [first('d1 c1', 'c'), more('b1 a1'), first('f1 e1 d1', 'd', true)],
      'f1 e1 d1 c1 b1 a1',
    ],
    ['drops what the new page no longer has', [first('d1 c1 b1', 'b'), first('d1 b1', 'b', true)], 'd1 b1'],
    ['takes copies from the new page', [first('b1 a1'), first('b2 a1', null, true)], 'b2 a1'],
    ['starts over if they do not overlap', [first('b1 a1'), first('z1 y1', 'y', true)], 'z1 y1'],
  ])('%s', (_what, actions, expected) => expect(shown(run(immutable, actions))).toBe(expected))

  it.each<[what: string, actions: ListAction<Item>[], cursor: string | null]>([
    ['continues after its tail', [first('d1 c1', 'c'), more('b1', 'b'), first('e1 d1', 'd', true)], 'b'],
    ['continues after a page without a tail', [first('d1 c1', 'c'), first('d1 c1', null, true)], null],
    ['continues after a page that starts over', [first('b1'), first('z1', 'z', true)], 'z'],
  ])('%s', (_what, actions, cursor) => expect(run(immutable, actions).cursor).toBe(cursor))
})

it('says whether it is loading, and why it failed', () => {
  expect(emptyList).toMatchObject({ loading: true, cursor: undefined, items: [] })
  const failedState = run(versioned, [first('b1', 'b'), failed])
  expect(failedState).toMatchObject({ loading: false, cursor: 'b', failure: { kind: 'offline' } })
  expect(reduceList(versioned, failedState, requested)).toMatchObject({ loading: true, failure: undefined })
  expect(run(versioned, [first('b1', 'b'), failed, requested, more('a1')])).toMatchObject({
    loading: false,
    cursor: null,
    failure: undefined,
  })
})
