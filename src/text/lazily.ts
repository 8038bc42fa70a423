/** What `create` returns, created at the first call: Intl formatters take a millisecond or more each. */
export function lazily<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}
