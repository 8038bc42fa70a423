import { assertNever } from '../../../contract/brand.ts'
import type { Failure } from '../../../streams/index.ts'

/** How the items of a list are filtered, sorted and replaced. */
export type ListRules<T> = {
  /** Whether an item from an event belongs to this list, by the venue's own filters. */
  belongs: (item: T) => boolean
  /** Newest first. */
  compare: (a: T, b: T) => number
  /** Whether `next` is newer than `known`, which has the same id. */
  isNewer: (known: T, next: T) => boolean
}

export type ListState<T> = {
  items: readonly T[]
  /** Undefined before the first page, null at the end. */
  cursor: string | null | undefined
  loading: boolean
  failure: Failure | undefined
  /** Items from events while a page was loading: the page may have been read before them. */
  receivedWhileLoading: readonly T[]
}

export type ListAction<T> =
  | { kind: 'requested' }
  | { kind: 'page'; items: readonly T[]; cursor: string | null; fresh: boolean }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'event'; item: T }

export const emptyList: ListState<never> = {
  items: [],
  cursor: undefined,
  loading: true,
  failure: undefined,
  receivedWhileLoading: [],
}

/** The reducer of a list: pages append (a fresh one starts over), events patch. */
export function reduceList<T extends { id: string }>(
  rules: ListRules<T>,
  state: ListState<T>,
  action: ListAction<T>,
): ListState<T> {
  switch (action.kind) {
    case 'requested':
      return { ...state, loading: true, failure: undefined, receivedWhileLoading: [] }
    case 'page': {
      const before = action.fresh ? state.receivedWhileLoading : state.items
      const items = action.items.reduce<readonly T[]>((list, item) => withItem(rules, list, item), before)
      return { items, cursor: action.cursor, loading: false, failure: undefined, receivedWhileLoading: [] }
    }
    case 'failed':
      return { ...state, loading: false, failure: action.failure, receivedWhileLoading: [] }
    case 'event': {
      if (!rules.belongs(action.item)) return state
      const items = withItem(rules, state.items, action.item)
      if (items === state.items) return state
      const receivedWhileLoading = state.loading
        ? withItem(rules, state.receivedWhileLoading, action.item)
        : state.receivedWhileLoading
      return { ...state, items, receivedWhileLoading }
    }
    default:
      return assertNever(action)
  }
}

/** Inserts an item, or replaces it if it is newer. Returns the same list if nothing changes. */
function withItem<T extends { id: string }>(rules: ListRules<T>, list: readonly T[], item: T): readonly T[] {
  const known = list.find(({ id }) => id === item.id)
  if (known !== undefined && !rules.isNewer(known, item)) return list
  const others = known === undefined ? list : list.filter(({ id }) => id !== item.id)
  return [...others, item].sort(rules.compare)
}
