/** Both ends of a hash are enough to compare by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`
