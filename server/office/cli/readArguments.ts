import { parseArgs } from 'node:util'
import { fieldErrors } from '../../../contract/errors.ts'
import type { Route } from '../../../contract/route.ts'
import { commands } from './commands.ts'
import type { Command, CommandInput } from './command.ts'
import { isList } from './help.ts'
import { UsageError } from './usageError.ts'
import type { CallRequest } from './venueClient.ts'

/** The parsed command line. */
export type ParsedArguments =
  | { kind: 'help'; noun?: string; verb?: string }
  | {
      kind: 'call'
      command: Command
      call: CallRequest
      json: boolean
      actor: string | undefined
      photos: string | undefined
    }

/** @throws UsageError with one line about the error */
export function readArguments(args: readonly string[]): ParsedArguments {
  const { values, words } = split(args)
  const [noun, verb] = words
  const verbs = noun === undefined ? undefined : ownEntry(commands, noun)
  const command = verbs === undefined || verb === undefined ? undefined : ownEntry(verbs, verb)
  if (noun !== undefined && verbs === undefined) throw new UsageError(`unknown noun ${noun}: see --help`)
  if (values['help'] !== undefined) {
    return {
      kind: 'help',
      ...(noun !== undefined && { noun }),
      ...(command && verb !== undefined && { verb }),
    }
  }
  if (noun === undefined || verbs === undefined)
    throw new UsageError('a noun and a verb are missing: see --help')
  if (command === undefined) throw new UsageError(`${noun} takes ${Object.keys(verbs).join(', ')}`)
  for (const name of Object.keys(values)) {
    if (!optionsOf(command).includes(name))
      throw new UsageError(`${noun} ${verb ?? ''} has no option --${name}`)
  }
  const input: CommandInput = { ...values, ...positionalsOf(command, words.slice(2)) }
  return {
    kind: 'call',
    command,
    call: buildCall(command, input),
    json: values['json'] !== undefined,
    actor: values['as'],
    photos: values['photos'],
  }
}

const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The names of the options that a command has. */
const optionsOf = (command: Command): string[] => [
  'json',
  'as',
  'help',
  ...(isList(command) ? ['limit', 'cursor'] : []),
  ...(command.photos ? ['photos'] : []),
  ...Object.keys(command.options ?? {}),
]

/** Separates options and positional arguments. Works for any command, as an option means the same in all of them. */
function split(args: readonly string[]) {
  const names = Object.values(commands).flatMap((verbs) => Object.values(verbs).flatMap(optionsOf))
  const text = { type: 'string' } as const
  const options = {
    ...Object.fromEntries(names.map((name) => [name, text] as const)),
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const)
    return { values: Object.fromEntries(texts) as Record<string, string | undefined>, words: positionals }
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new UsageError(line)
  }
}

function positionalsOf({ positionals = [] }: Command, typed: readonly string[]): Record<string, string> {
  if (typed.length > positionals.length)
    throw new UsageError(`unexpected argument ${typed[positionals.length] ?? ''}`)
  const input: Record<string, string> = {}
  for (const [i, word] of positionals.entries()) {
    const name = word.replace('?', '')
    const value = typed[i]
    if (value !== undefined && value !== '') input[name] = value
    else if (!word.endsWith('?')) throw new UsageError(`${name.toUpperCase()} is missing`)
  }
  return input
}

/** Builds the request and validates its parts with the contract's schemas. */
function buildCall({ route, query, body, options = {} }: Command, input: CommandInput): CallRequest {
  const params = { id: input['id'], version: input['version'] }
  const page = { limit: input['limit'], cursor: input['cursor'] }
  const queryParts = withoutUndefined({ ...page, ...query?.(input) })
  const bodyParts = body && withoutUndefined(body(input))
  const ranges = { limit: '1-100', ...mapValues(options) }
  validate(route.params, params, ranges)
  validate(route.query, queryParts, ranges)
  validate(route.body, bodyParts, ranges)
  const search = new URLSearchParams(Object.entries(queryParts).map(([name, value]) => [name, String(value)]))
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input[name] ?? ''))
  return {
    method: route.method,
    path: search.size === 0 ? path : `${path}?${search.toString()}`,
    ...(bodyParts && { body: bodyParts }),
  }
}

const withoutUndefined = (parts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

/** Fields that have a different name on the command line. */
const optionNames: Readonly<Record<string, string>> = {
  opensAt: 'opens-at',
  creditScore: 'score',
  to: 'ID',
  twoPersonsAbove: 'AMOUNT',
  id: 'ID',
}

const mapValues = (options: NonNullable<Command['options']>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, value]))

/** @param ranges the placeholders of options; one such as `1-5` is the range of a number */
function validate(schema: Route['body'], value: unknown, ranges: Readonly<Record<string, string>>): void {
  const parsed = schema?.safeParse(value)
  if (!parsed || parsed.success) return
  const [[field, code] = []] = Object.entries(fieldErrors(parsed.error.issues, value))
  const name = optionNames[field ?? ''] ?? field ?? ''
  const displayName = /^[a-z]/.test(name) ? `--${name}` : name
  const [, min, max] = /^(\d+)-(\d+)$/.exec(ranges[name] ?? '') ?? []
  if (code !== 'REQUIRED' && min !== undefined && max !== undefined)
    throw new UsageError(`${displayName} must be a whole number from ${min} to ${max}`)
  throw new UsageError(
    code === 'REQUIRED' ? `${displayName} is missing` : `${displayName} is invalid (${code ?? ''})`,
  )
}
