/** What reaches an alert: a price at or beyond its own, from below if it `rises`, else from above. In price units. */
export type AlertLevel = { id: string; price: number; rises: boolean }

const none: readonly never[] = []

/**
 * The levels of one product that wait, sorted, so that a tick costs one comparison on each side, and a level that it
 * reaches is the last one of its list.
 */
export class AlertLevels<Level extends AlertLevel> {
  /** The lowest at the end. */
  readonly #rising: Level[] = []
  /** The highest at the end. */
  readonly #falling: Level[] = []
  readonly #sides = [
    [this.#rising, 1],
    [this.#falling, -1],
  ] as const
  readonly #byId = new Map<string, Level>()

  get size(): number {
    return this.#byId.size
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  values(): IterableIterator<Level> {
    return this.#byId.values()
  }

  /** Adds those that are not there yet. */
  add(levels: readonly Level[]): void {
    const added = levels.filter(({ id }) => !this.#byId.has(id))
    for (const level of added) this.#byId.set(level.id, level)
    for (const rises of [true, false]) {
      const own = added.filter((level) => level.rises === rises)
      const list = this.#listOf(rises)
      // Sorting is for many at a time, such as at a start.
      if (own.length > 1) list.push(...own)
      if (own.length > 1) list.sort(reachedLast(rises))
      else for (const level of own) list.splice(placeIn(list, level), 0, level)
    }
  }

  remove(id: string): void {
    const level = this.#byId.get(id)
    if (!level) return
    this.#byId.delete(id)
    const list = this.#listOf(level.rises)
    list.splice(placeIn(list, level), 1)
  }

  /** Removes and returns what a price reaches. */
  takeReached(price: number): readonly Level[] {
    let reached: Level[] | null = null
    for (const [list, sign] of this.#sides) {
      for (let level = list.at(-1); level && sign * (price - level.price) >= 0; level = list.at(-1)) {
        list.pop()
        this.#byId.delete(level.id)
        reached ??= []
        reached.push(level)
      }
    }
    return reached ?? none
  }

  #listOf(rises: boolean): Level[] {
    return rises ? this.#rising : this.#falling
  }
}

/** The order of a list: what is reached first comes last; equal prices by id, so that each level has one place. */
const reachedLast =
  (rises: boolean) =>
  (a: AlertLevel, b: AlertLevel): number =>
    (rises ? b.price - a.price : a.price - b.price) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Where a level is in its sorted list, or belongs. */
function placeIn(list: readonly AlertLevel[], level: AlertLevel): number {
  const compare = reachedLast(level.rises)
  let from = 0
  let to = list.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(list[middle] as AlertLevel, level) < 0) from = middle + 1
    else to = middle
  }
  return from
}
