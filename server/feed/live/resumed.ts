/** A product whose source is received in full again. */
export type Resumed = { id: string; ms: number; isGap: boolean }

/** The lines that tell the operator that an exchange is heard again: one for the products with a gap, one for those without. */
export function resumedTexts(exchange: string, resumed: readonly Resumed[]): string[] {
  return [true, false].flatMap((isGap) => {
    const some = resumed.filter((each) => each.isGap === isGap)
    if (some.length === 0) return []
    const seconds = (Math.max(...some.map(({ ms }) => ms)) / 1000).toFixed(1)
    const ids = [...new Set(some.map(({ id }) => id))].join(', ')
    return [`${exchange} is heard again after ${seconds} s, ${isGap ? 'a gap' : 'no gap'}: ${ids}`]
  })
}
