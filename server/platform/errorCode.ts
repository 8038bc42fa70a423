/** The code of an error of the operating system, for example `ENOENT`; undefined if it has none. */
export const errorCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

export const hasErrorCode = (error: unknown, code: string): boolean => errorCodeOf(error) === code
