import { parseArgs } from 'node:util'
import { fieldErrors } from '../../../contract/errors.ts'
import type { Route } from '../../../contract/route.ts'
import { commands } from './commands.ts'
import type { Command, CommandInput } from './commands.ts'
import { isList } from './help.ts'
import { UsageError } from './usageError.ts'
import type { CallRequest } from './venueClient.ts'

/** What was typed, understood. */
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

/** @throws UsageError with one line about what is wrong */
export function readArguments(args: readonly string[]): ParsedArguments {
  const { values, words } = split(args)
  const [noun, verb] = words
  const verbs = noun === undefined ? undefined : ownEntry(commands, noun)
  const command = verbs === undefined || verb === undefined ? undefined : ownEntry(verbs, verb)
  if (noun !== undefined && verbs === undefined) throw new UsageError(`there is no noun ${noun}: see --help`)
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
    if (!optionsOf(command).includes(name)) throw new UsageError(`${noun} ${verb ?? ''} takes no --${name}`)
  }
  const given: CommandInput = { ...values, ...positionalsOf(command, words.slice(2)) }
  return {
    kind: 'call',
    command,
    call: buildCall(command, given),
    json: values['json'] !== undefined,
    actor: values['as'],
    photos: values['photos'],
  }
}

const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** What a command understands. */
const optionsOf = (command: Command): string[] => [
  'json',
  'as',
  'help',
  ...(isList(command) ? ['limit', 'cursor'] : []),
  ...(command.photos ? ['photos'] : []),
  ...Object.keys(command.options ?? {}),
]

/** Options and words apart, before it is known which command it is: an option means the same to all that take it. */
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
    const given = Object.entries(values).map(([name, value]) => [name, String(value)] as const)
    return { values: Object.fromEntries(given) as Record<string, string | undefined>, words: positionals }
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new UsageError(line)
  }
}

function positionalsOf({ positionals = [] }: Command, typed: readonly string[]): Record<string, string> {
  if (typed.length > positionals.length)
    throw new UsageError(`${typed[positionals.length] ?? ''} is one word too many`)
  const given: Record<string, string> = {}
  for (const [i, word] of positionals.entries()) {
    const name = word.replace('?', '')
    const value = typed[i]
    if (value !== undefined && value !== '') given[name] = value
    else if (!word.endsWith('?')) throw new UsageError(`${name.toUpperCase()} is missing`)
  }
  return given
}

/** The call, its parts held against the contract's schemas before it is made. */
function buildCall({ route, query, body }: Command, given: CommandInput): CallRequest {
  const params = { id: given['id'] }
  const page = { limit: given['limit'], cursor: given['cursor'] }
  const queryParts = withoutUndefined({ ...page, ...query?.(given) })
  const bodyParts = body && withoutUndefined(body(given))
  validate(route.params, params)
  validate(route.query, queryParts)
  validate(route.body, bodyParts)
  const search = new URLSearchParams(Object.entries(queryParts).map(([name, value]) => [name, String(value)]))
  const path = route.path.replace(':id', encodeURIComponent(given['id'] ?? ''))
  return {
    method: route.method,
    path: search.size === 0 ? path : `${path}?${search.toString()}`,
    ...(bodyParts && { body: bodyParts }),
  }
}

const withoutUndefined = (parts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

/** What the fields of calls are called on the command line, where that differs. */
const optionNames: Readonly<Record<string, string>> = {
  opensAt: 'opens-at',
  creditScore: 'score',
  to: 'ID',
  id: 'ID',
}

function validate(schema: Route['body'], value: unknown): void {
  const read = schema?.safeParse(value)
  if (!read || read.success) return
  const [[field, code] = []] = Object.entries(fieldErrors(read.error.issues, value))
  const name = optionNames[field ?? ''] ?? field ?? ''
  const shown = /^[a-z]/.test(name) ? `--${name}` : name
  throw new UsageError(code === 'REQUIRED' ? `${shown} is missing` : `${shown} is not usable (${code ?? ''})`)
}
