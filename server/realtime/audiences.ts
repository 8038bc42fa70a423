import type { SubscribeMode } from '../../contract/socket.ts'
import type { Viewer } from './viewer.ts'

/** A watched product: its name, its venue-wide number, and how much of it is wanted. */
export type Watched = { id: string; ix: number; mode: SubscribeMode }

/** Everybody who watches the same products in the same modes: they are sent the same bytes. */
export type Audience = {
  readonly ids: readonly string[]
  readonly modes: ReadonlyMap<number, SubscribeMode>
  readonly watched: ReadonlyMap<string, Watched>
  readonly viewers: ReadonlySet<Viewer>
}

export type Audiences = {
  /** Adds products to what a viewer watches; for one already watched the newer mode counts. */
  watch(viewer: Viewer, products: readonly Watched[]): void
  unwatch(viewer: Viewer, ids: readonly string[]): void
  leave(viewer: Viewer): void
  /** Those with at least one viewer. */
  all(): Iterable<Audience>
}

type Group = Audience & { key: string; viewers: Set<Viewer> }

export function createAudiences(): Audiences {
  const groups = new Map<string, Group>()
  const groupOf = new Map<Viewer, Group>()

  const leave = (viewer: Viewer): void => {
    const group = groupOf.get(viewer)
    if (!group) return
    groupOf.delete(viewer)
    group.viewers.delete(viewer)
    if (group.viewers.size === 0) groups.delete(group.key)
  }
  const join = (viewer: Viewer, watched: Map<string, Watched>): void => {
    leave(viewer)
    if (watched.size === 0) return
    const sorted = [...watched.values()].sort((a, b) => a.ix - b.ix)
    const key = sorted.map(({ ix, mode }) => (mode === 'all' ? `${ix}` : `${ix}l`)).join(' ')
    const group = groups.get(key) ?? {
      key,
      ids: sorted.map(({ id }) => id),
      modes: new Map(sorted.map(({ ix, mode }) => [ix, mode])),
      watched,
      viewers: new Set<Viewer>(),
    }
    groups.set(key, group)
    group.viewers.add(viewer)
    groupOf.set(viewer, group)
  }

  return {
    watch: (viewer, products) => {
      const watched = new Map(groupOf.get(viewer)?.watched)
      for (const product of products) watched.set(product.id, product)
      join(viewer, watched)
    },
    unwatch: (viewer, ids) => {
      const watched = new Map(groupOf.get(viewer)?.watched)
      for (const id of ids) watched.delete(id)
      join(viewer, watched)
    },
    leave,
    all: () => groups.values(),
  }
}
