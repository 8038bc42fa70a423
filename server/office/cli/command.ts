import type { Route } from '../../../contract/route.ts'

/** What was typed: positional arguments by their name, and options. */
export type CommandInput = Readonly<Record<string, string | undefined>>

/** One verb of a noun: its route, and how the input maps to the parts of the request. */
export type Command = {
  route: Route
  /** Positional arguments after the verb, in order; a name that ends in `?` is optional. */
  positionals?: readonly string[]
  /** The command's own options, with the placeholder for their value in the help. */
  options?: Readonly<Record<string, { value: string; help: string; required?: true }>>
  query?: (input: CommandInput) => Record<string, unknown>
  body?: (input: CommandInput) => Record<string, unknown>
  /** Columns of a list. */
  columns?: readonly string[]
  /** The pictures that `--photos` fetches: path of an upload's id in the answer → name of the file. */
  photos?: Readonly<Record<string, string>>
}

/** An option that takes only `yes`; anything else goes to the venue, which refuses it. */
export const parseYes = (typed: string | undefined): unknown => (typed === 'yes' ? true : typed)

/** An option: the placeholder for its value, and its help. */
export const text = (value: string, help: string) => ({ value, help })
