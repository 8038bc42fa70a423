import { assertNever } from '../../contract/units.ts'
import type { Failure, ListRules, ListState, PageOf } from '../types.ts'

/** A list with the state of its reducer. */
export type ListMemory<T> = ListState<T> & {
  /** The newest copy of every item received, also of those that are not shown. */
  known: ReadonlyMap<string, T>
  /** The last item of the loaded pages. An item below it is shown with its own page, or the list would have a hole. */
  end: T | undefined
  /** Items received by events since the running request began: its answer may be older than they are. */
  recent: ReadonlySet<string>
}

export type ListAction<T> =
  | { kind: 'requested' }
  | { kind: 'first'; page: PageOf<T>; keepTail: boolean }
  | { kind: 'more'; page: PageOf<T> }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'received'; items: readonly T[] }

export const emptyList: ListMemory<never> = {
  items: [],
  cursor: undefined,
  loading: true,
  failure: undefined,
  known: new Map<string, never>(),
  end: undefined,
  recent: new Set(),
}

/** The reducer of a list: pages and events in any order, of each item the newest copy. */
export function reduceList<T extends { id: string }>(
  rules: ListRules<T>,
  state: ListMemory<T>,
  action: ListAction<T>,
): ListMemory<T> {
  switch (action.kind) {
    case 'requested':
      return { ...state, loading: true, failure: undefined, recent: new Set() }
    case 'failed':
      return { ...state, loading: false, failure: action.failure }
    case 'received': {
      const known = merged(rules, action.items, state.known)
      const recent = new Set([...state.recent, ...action.items.map(({ id }) => id)])
      return withItems(rules, { ...state, known, recent })
    }
    case 'more': {
      const { items, nextCursor } = action.page
      const known = merged(rules, [...state.known.values()], byId(items))
      return withItems(rules, { ...loaded(state, nextCursor), known, end: items.at(-1) ?? state.end })
    }
    case 'first': {
      const { items, nextCursor } = action.page
      const recent = [...state.known.values()].filter(({ id }) => state.recent.has(id))
      const tail = action.keepTail ? tailAfter(state.items, items.at(-1)) : []
      const known = merged(rules, recent, byId([...items, ...excluding(tail, items)]))
      return tail.length === 0
        ? withItems(rules, { ...loaded(state, nextCursor), known, end: items.at(-1) })
        : withItems(rules, { ...loaded(state, state.cursor), known })
    }
    default:
      return assertNever(action)
  }
}

const loaded = <T>(state: ListMemory<T>, cursor: ListState<T>['cursor']): ListMemory<T> => ({
  ...state,
  cursor,
  loading: false,
  failure: undefined,
  recent: new Set(),
})

const byId = <T extends { id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]))

function excluding<T extends { id: string }>(items: readonly T[], others: readonly T[]): T[] {
  const ids = byId(others)
  return items.filter(({ id }) => !ids.has(id))
}

/** What follows a new first page in the list so far; nothing if they do not overlap. */
function tailAfter<T extends { id: string }>(items: readonly T[], last: T | undefined): readonly T[] {
  const seam = items.findIndex(({ id }) => id === last?.id)
  return seam < 0 ? [] : items.slice(seam + 1)
}

/** Adds items before those of `base`; of an item in both, the newer copy stays in its place. */
function merged<T extends { id: string }>(
  { isNewer = () => false }: ListRules<T>,
  items: readonly T[],
  base: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  const added = items.filter(({ id }) => !base.has(id))
  const result = new Map([...byId(added), ...base])
  for (const item of items) {
    const known = base.get(item.id)
    if (known !== undefined && isNewer(item, known)) result.set(item.id, item)
  }
  return result
}

function withItems<T extends { id: string }>(rules: ListRules<T>, state: ListMemory<T>): ListMemory<T> {
  const items = shownItems(rules, state)
  const isSame = items.length === state.items.length && items.every((item, n) => item === state.items[n])
  return isSame ? { ...state, items: state.items } : { ...state, items }
}

function shownItems<T>({ belongs = () => true, compare }: ListRules<T>, state: ListMemory<T>): readonly T[] {
  const { known, cursor, end } = state
  if (cursor === undefined) return []
  const items = [...known.values()].filter(belongs)
  if (compare === undefined) return items
  const isLoaded = (item: T): boolean => cursor === null || end === undefined || compare(item, end) <= 0
  return items.filter(isLoaded).sort(compare)
}
