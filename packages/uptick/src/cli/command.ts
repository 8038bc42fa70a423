/** What a command needs from the process. */
export type CommandContext = {
  print: (line: string) => void
  /** Progress and remarks: not part of the output. */
  note: (line: string) => void
  /**
   * Aborts on Ctrl-C; what the command then throws says only that it was interrupted. Until a command reads it, Ctrl-C ends the
   * process, as a command that only reads files needs.
   */
  readonly signal: AbortSignal
}

export const exitCodes = { done: 0, refuted: 1, unusable: 2 } as const

export type Command = {
  name: string
  /** Arguments after the name, one usage a line. */
  usage: string
  /** What `--help` adds. */
  help?: string
  run: (args: string[], context: CommandContext) => Promise<number>
}

/** The command cannot run as it was typed, or on this file: exit code 2, with `hint` on a line of its own, without one if it is empty. */
export class UsageError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The packages that are missing, all at once; none if an error says something else.
 * @param needed what a command imports of packages
 */
export async function missingPackages(
  error: unknown,
  needed: readonly string[],
  load = (name: string): Promise<unknown> => import(name),
): Promise<string[]> {
  const missing = new Set(missingPackageOf(error))
  if (missing.size === 0) return []
  for (const name of needed) {
    try {
      await load(name)
    } catch (other) {
      for (const found of missingPackageOf(other)) missing.add(found)
    }
  }
  return [...missing]
}

/** The package that an error says is missing, or none. */
function missingPackageOf(error: unknown): string[] {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return []
  return /(?<=^Cannot find package ')(?:@[^/']+\/)?[^/']+/.exec(error.message) ?? []
}

/** The only argument. @throws UsageError if there is none, or another one */
export function onlyFile(positionals: readonly string[], what: string): string {
  const [file, ...others] = positionals
  if (file === undefined) throw new UsageError(`which ${what}?`)
  if (others.length > 0) throw new UsageError(`one ${what} at a time, not ${others.join(' ')} too`)
  return file
}
