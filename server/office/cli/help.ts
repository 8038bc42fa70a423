import { commands } from './commands.ts'
import type { Command } from './command.ts'
import { formatFields } from './table.ts'

const commandLine = 'npm run -s desk --'
const common: readonly (readonly [string, string])[] = [
  ['--json', 'print JSON; lists are {items, nextCursor}'],
  ['--as NAME', 'who acts with the key, as recorded in the act log; required in live mode'],
  ['--help', 'print this help, also after a noun or a verb'],
]
const paging: readonly (readonly [string, string])[] = [
  ['--limit N', 'how many, 1 to 100; 20 if omitted'],
  ['--cursor TEXT', 'the nextCursor of the previous page'],
]

/** Help on all commands, on a noun, or on one verb of it. */
export function help(noun?: string, verb?: string): string {
  const verbs = noun === undefined ? undefined : commands[noun]
  if (noun === undefined || verbs === undefined) return overview()
  const command = verb === undefined ? undefined : verbs[verb]
  if (verb === undefined || command === undefined) {
    return [
      `${commandLine} ${noun} VERB`,
      '',
      formatFields(
        Object.entries(verbs).map(
          ([name, command]) => [usageOf(name, command), command.route.summary] as const,
        ),
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

/** Whether a command returns a paged list. */
export const isList = ({ route }: Command): boolean =>
  route.method === 'GET' && 'cursor' in ((route.query as { shape?: object } | undefined)?.shape ?? {})

function overview(): string {
  return [
    `${commandLine} NOUN VERB [ID] [OPTIONS]`,
    '',
    formatFields(
      Object.entries(commands).map(([noun, verbs]) => [noun, Object.keys(verbs).join(' | ')] as const),
    ),
    '',
    'ID is what the member sees: the id or number of a request, the id or account of a member.',
    'login [NAME] [--print]: logs in as a member of staff, whom every later call acts for; logout ends it. --print prints',
    'the token for DESK_TOKEN instead of storing it. Without a terminal, name, password and code are lines of the input.',
    'Connects to the venue at HOST and PORT, if one of them is set, or to the one that runs in DATA_DIR (./data). Without a',
    'login, or with --as, the key in DATA_DIR or DESK_KEY is used.',
    'log check | cut | rename: the logs of a venue that cannot or must not start; works on the database, see log --help.',
    'Exit code 0: done. 1: rejected, with the code on stderr. 2: wrong usage, or no venue answers.',
    '',
    indented(common),
  ].join('\n')
}

function usageOf(verb: string, { positionals = [], options = {} }: Command): string {
  const placeholders = positionals.map((name) =>
    name.endsWith('?') ? `[${name.slice(0, -1).toUpperCase()}]` : name.toUpperCase(),
  )
  const flags = Object.entries(options).map(([name, { value, required }]) =>
    required ? `--${name} ${value}` : `[--${name} ${value}]`,
  )
  return [verb, ...placeholders, ...flags].join(' ')
}

function ownOptions({ options = {}, photos }: Command): (readonly [string, string])[] {
  return [
    ...Object.entries(options).map(([name, { value, help }]) => [`--${name} ${value}`, help] as const),
    ...(photos
      ? [
          [
            '--photos DIR',
            'write its pictures to DIR, readable only by you; each view is recorded in the act log',
          ] as const,
        ]
      : []),
  ]
}

const indented = (rows: readonly (readonly [string, string])[]): string =>
  formatFields(rows).replaceAll(/^/gm, '  ')
