/** Nominal numbers: a price cannot be added to money, nor a duration used as an instant. */
declare const brand: unique symbol
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Money in minor units (cents) of the one account currency; a safe integer. */
export type Minor = Branded<number, 'Minor'>
/** A price as an integer at its product's `priceDecimals`. */
export type PriceUnits = Branded<number, 'PriceUnits'>
/** A size as an integer at its product's `sizeDecimals`. */
export type SizeUnits = Branded<number, 'SizeUnits'>
/** Milliseconds since 1970 on the venue's clock, unless a name says otherwise. */
export type EpochMs = Branded<number, 'EpochMs'>
/** Basis points: 10,000 = 100 %. */
export type Bp = Branded<number, 'Bp'>

export const minor = (n: number): Minor => integer(n) as Minor
export const priceUnits = (n: number): PriceUnits => integer(n) as PriceUnits
export const sizeUnits = (n: number): SizeUnits => integer(n) as SizeUnits
export const bp = (n: number): Bp => integer(n) as Bp

/** An instant that may be missing stays null. */
export function epochMs(n: number): EpochMs
export function epochMs(n: number | null): EpochMs | null
export function epochMs(n: number | null): EpochMs | null {
  return n === null ? null : (integer(n) as EpochMs)
}

function integer(n: number): number {
  if (!Number.isSafeInteger(n)) throw new RangeError(`not a safe integer: ${n}`)
  return n
}

/** Closes a discriminated union: the compiler proves that every case is handled, and a bad value throws at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
