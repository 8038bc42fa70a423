import { appVersion } from '../../../../contract/constants.ts'
import { UsageError, exitCodes, missingPackages, type Command, type CommandContext } from './command.ts'

/** Each command is loaded when it runs: most need only a part of what the package depends on. */
const commands: readonly {
  name: string
  summary: string
  /** What it needs of optional packages. */
  optional?: string
  load: () => Promise<Command>
}[] = [
  {
    name: 'info',
    summary: 'what a recording holds',
    load: async () => (await import('./fileCommands.ts')).info,
  },
  {
    name: 'check',
    summary: 'whether a recording is whole',
    load: async () => (await import('./fileCommands.ts')).check,
  },
  {
    name: 'verify',
    summary: 'whether an exported proof holds',
    load: async () => (await import('./fileCommands.ts')).verify,
  },
  {
    name: 'witness',
    summary: 'cosigns public logs',
    load: async () => (await import('./fileCommands.ts')).witness,
  },
  {
    name: 'convert',
    summary: 'what others recorded → recording',
    load: async () => (await import('./fileCommands.ts')).convert,
  },
  {
    name: 'exchange',
    summary: 'an exchange for tests, with faults',
    load: async () => (await import('./exchange.ts')).exchange,
  },
  {
    name: 'replay',
    summary: 'serves recordings as a venue does',
    optional: 'socket.io',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'record',
    summary: 'writes the live ticks of a venue or an exchange',
    load: async () => (await import('./record.ts')).record,
  },
]

/** What the commands import of the packages that are installed with this one. */
const packages = ['zod/mini', 'rxjs', '@noble/hashes/utils.js', 'ws', 'socket.io-client']

const overview = (): string =>
  [
    'uptick COMMAND …, with --help for one command',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`),
  ].join('\n')

const usageOf = ({ name, usage }: Command): string => `uptick ${name} ${usage}`

/** Whether an error of Node says what the user can change: an argument, or what the system refuses, as a port or a folder. */
const isOfUse = (error: unknown): error is Error =>
  error instanceof Error &&
  ('syscall' in error || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')))

/**
 * Runs the command that the arguments name.
 * @param interruptSignal is called once the command wants to know of Ctrl-C: its signal aborts then
 * @returns the exit code
 */
export async function runCommand(
  [name, ...args]: string[],
  { print, note, interruptSignal }: Omit<CommandContext, 'signal'> & { interruptSignal: () => AbortSignal },
): Promise<number> {
  if (name === '--version') {
    print(appVersion)
    return exitCodes.done
  }
  const found = commands.find((each) => each.name === name)
  if (!found) {
    const isHelp = name === '--help' || name === 'help'
    ;(isHelp ? print : note)(
      isHelp || name === undefined ? overview() : `uptick: no command ${name}\n${overview()}`,
    )
    return isHelp ? exitCodes.done : exitCodes.unusable
  }
  const command = await found.load().catch(async (error: unknown) => {
    const missing = await missingPackages(error, [...packages, found.optional ?? []].flat())
    if (missing.length === 0) throw error
    note(`uptick ${found.name} needs packages that are not installed: npm i -D ${missing.join(' ')}`)
  })
  if (command === undefined) return exitCodes.unusable
  if (args.includes('--help')) {
    print(`${usageOf(command)}\n${found.summary}\n${command.help ?? ''}`.trimEnd())
    return exitCodes.done
  }
  let signal: AbortSignal | undefined
  try {
    return await command.run(args, {
      print,
      note,
      get signal() {
        return (signal ??= interruptSignal())
      },
    })
  } catch (thrown) {
    const error = signal?.aborted === true ? new UsageError('interrupted', '') : thrown
    if (!(error instanceof UsageError) && !isOfUse(error)) throw error
    const { message } = error
    // Node's own messages continue with advice.
    note(`uptick ${command.name}: ${error instanceof UsageError ? message : message.split('. ')[0]}`)
    const hint = (error instanceof UsageError ? error.hint : undefined) ?? usageOf(command)
    if (hint !== '') note(hint)
    return exitCodes.unusable
  }
}
