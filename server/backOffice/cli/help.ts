import { commands } from './commands.ts'
import type { Command } from './commands.ts'
import { formatFields } from './table.ts'

const commandLine = 'npm run -s desk --'
const common: readonly (readonly [string, string])[] = [
  ['--json', 'print JSON; lists are {items, nextCursor}'],
  ['--as NAME', 'who acts, as the audit keeps it; required in live mode'],
  ['--help', 'print this, also after a noun and after a verb'],
]
const paging: readonly (readonly [string, string])[] = [
  ['--limit N', 'how many, 1 to 100; 20 where left out'],
  ['--cursor TEXT', "where to go on: the list before's nextCursor"],
]

/** Help about everything, about a noun, or about one verb of it. */
export function help(noun?: string, verb?: string): string {
  const verbs = noun === undefined ? undefined : commands[noun]
  if (noun === undefined || verbs === undefined) return overview()
  const command = verb === undefined ? undefined : verbs[verb]
  if (verb === undefined || command === undefined) {
    return [
      `${commandLine} ${noun} VERB`,
      '',
      formatFields(
        Object.entries(verbs).map(([name, each]) => [usageOf(name, each), each.route.summary] as const),
      ),
      '',
      indented(common),
    ].join('\n')
  }
  return [
    `${commandLine} ${noun} ${usageOf(verb, command)}`,
    '',
    command.route.summary,
    '',
    indented([...ownOptions(command), ...(isList(command) ? paging : []), ...common]),
  ].join('\n')
}

/** Whether a command's answer comes in pages. */
export const isList = ({ route }: Command): boolean => route.method === 'GET' && route.query !== undefined

function overview(): string {
  return [
    `${commandLine} NOUN VERB [ID] [OPTIONS]`,
    '',
    formatFields(
      Object.entries(commands).map(([noun, verbs]) => [noun, Object.keys(verbs).join(' | ')] as const),
    ),
    '',
    'ID is the one that the member sees: an id or number of the request, an id or account of the member.',
    'Speaks to the venue at HOST and PORT with the key in DATA_DIR, or DESK_KEY.',
    'log check | cut: the tick log of a venue that cannot start; works on the database itself, see log --help.',
    'Exit code 0: done. 1: refused, with the code on stderr. 2: wrong usage, or no venue answers.',
    '',
    indented(common),
  ].join('\n')
}

function usageOf(verb: string, { positionals = [], options = {} }: Command): string {
  const shown = positionals.map((word) =>
    word.endsWith('?') ? `[${word.slice(0, -1).toUpperCase()}]` : word.toUpperCase(),
  )
  const flags = Object.entries(options).map(([name, { value, required }]) =>
    required ? `--${name} ${value}` : `[--${name} ${value}]`,
  )
  return [verb, ...shown, ...flags].join(' ')
}

function ownOptions({ options = {}, photos }: Command): (readonly [string, string])[] {
  return [
    ...Object.entries(options).map(([name, { value, help }]) => [`--${name} ${value}`, help] as const),
    ...(photos
      ? [['--photos DIR', 'write its pictures there, readable by you only; each look is recorded'] as const]
      : []),
  ]
}

const indented = (rows: readonly (readonly [string, string])[]): string =>
  formatFields(rows).replaceAll(/^/gm, '  ')
