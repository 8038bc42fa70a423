/** Yields what `load` gives for 0 to `count` − 1, in order, while up to `ahead` of them load at once. */
export async function* eachInOrder<T>(
  count: number,
  ahead: number,
  load: (i: number) => Promise<T>,
): AsyncGenerator<T> {
  const loading: Promise<T>[] = []
  for (let next = 0; next < count || loading.length > 0;) {
    while (next < count && loading.length < ahead) {
      const started = load(next)
      // If an earlier one fails, this one is not awaited.
      started.catch(() => undefined)
      loading.push(started)
      next += 1
    }
    const first = loading.shift()
    if (first !== undefined) yield await first
  }
}
