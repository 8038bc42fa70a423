/* oxlint-disable consistent-type-definitions -- only an interface adds to one of the library */

/** What the oldest browsers have of ES2023: `tsconfig.browser.json` checks against ES2022 and this. */
interface Array<T> {
  findLast(predicate: (value: T, index: number, array: T[]) => unknown): T | undefined
}

interface ReadonlyArray<T> {
  findLast(predicate: (value: T, index: number, array: readonly T[]) => unknown): T | undefined
}
