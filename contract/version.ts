/** A record whose version rises with each change. Copies of it may arrive in any order. */
export type Versioned = { version: number }

export const isNewerVersion = (next: Versioned, known: Versioned): boolean => next.version > known.version

/** The newer of two copies of a record; the known one if they are the same version. */
export const newerVersion = <T extends Versioned>(known: T, next: T): T =>
  isNewerVersion(next, known) ? next : known
