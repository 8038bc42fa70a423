import { parseArgs } from 'node:util'
import { isBusinessDay } from '../../../contract/time.ts'
import { readSettings, type Settings } from '../../start/config.ts'
import { BackupError } from './backupError.ts'
import { checkBackup, type CheckedPart } from './check.ts'
import { createBackup } from './create.ts'
import { findVenueKeys, readKeyFile, type Keys } from './keyFile.ts'
import { runOperatorCommand } from './operatorCommand.ts'
import { restoreBackup } from './restore.ts'

const exitCodes = { done: 0, damaged: 1 } as const
const help = [
  'npm run -s backup -- FILE [--keys KEYFILE]         makes a backup: the database and the photos',
  'npm run -s backup -- check FILE [--keys KEYFILE] [--since TIME] [--share PART]',
  '                                                   says whether a backup is good',
  'npm run -s restore -- FILE [--keys KEYFILE]        restores one into an empty database and data folder',
  '',
  'The database is that of the environment: DATABASE_URL, or the embedded one in DATA_DIR, whose venue must be stopped.',
  'A backup is encrypted with the venue key: that of the environment or DATA_DIR, or of KEYFILE, which a backup writes.',
  'It is never in the backup: keep it in another place. Without it a backup cannot be restored.',
  'A check settles every order again, as it must before a restore. With --since, only orders settled since then: a day that',
  'begins at midnight UTC, 2026-05-01T02:00Z or epoch ms. With --share, from 0 to 1, of the others only that part: other ones',
  'for each backup, the same ones for the same backup. Ledger, audit, tick log, keys and photos are always checked in full.',
  'Exit code 0: done, or good. 1: the backup is damaged or lacks photos. 2: it could not be done.',
].join('\n')

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const progress = (line: string): void => void process.stderr.write(`${line}\n`)

type FileCommand = {
  verb: 'backup' | 'check' | 'restore'
  file: string
  keys: string | undefined
  part: CheckedPart
}

/** @param args `backup` or `restore`, which the script of package.json adds, then what was typed */
function readCommand(args: readonly string[]): FileCommand | { verb: 'help' } {
  const text = { type: 'string' } as const
  const options = { keys: text, since: text, share: text, help: { type: 'boolean', short: 'h' } } as const
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new BackupError(error instanceof Error ? error.message : 'wrong arguments')
  }
  const { values, positionals } = parsed
  const [script, ...words] = positionals
  if (values.help === true) return { verb: 'help' }
  if (script !== 'backup' && script !== 'restore')
    throw new BackupError('the first word is backup or restore: see --help')
  const verb = script === 'restore' ? 'restore' : words[0] === 'check' ? 'check' : 'backup'
  const [file, ...extra] = verb === 'check' ? words.slice(1) : words
  if (file === undefined || extra.length > 0) throw new BackupError('one FILE is needed: see --help')
  const part = readPart(values)
  if (verb !== 'check' && Object.keys(part).length > 0)
    throw new BackupError('--since and --share are of a check: see --help')
  return { verb, file, keys: values.keys, part }
}

function readPart({ since, share }: { since?: string; share?: string }): CheckedPart {
  const part: CheckedPart = {}
  if (since !== undefined) part.since = readSince(since)
  if (share !== undefined) part.share = Number(share)
  if (share === '' || (part.share !== undefined && !(part.share > 0 && part.share <= 1)))
    throw new BackupError('--share is a part of the orders: more than 0, 1 at most')
  return part
}

function readSince(typed: string): number {
  if (/^\d{11,15}$/.test(typed)) return Number(typed)
  const text: string = isBusinessDay(typed) ? `${typed}T00:00:00Z` : typed
  const at = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new BackupError(`--since ${text} is not a time: 2026-05-01, 2026-05-01T02:00Z or epoch ms`)
  return at
}

async function run(args: readonly string[]): Promise<number> {
  const command = readCommand(args)
  if (command.verb === 'help') {
    print(help)
    return exitCodes.done
  }
  const settings = readSettings(process.env)
  if (command.verb === 'backup') return backUp(settings, command)
  const keys = command.keys === undefined ? null : await readKeyFile(command.keys)
  return command.verb === 'check' ? check(settings, command, keys) : restore(settings, command.file, keys)
}

async function backUp(settings: Settings, { file, keys: keyFile }: FileCommand): Promise<number> {
  const { manifest, missing } = await createBackup(settings, file, progress, keyFile)
  print(`${file} has the database and ${photos(Object.keys(manifest.files).length - 1)}`)
  print(`it is encrypted with the venue key ${manifest.key}`)
  print(keyLine(keyFile))
  if (missing.length === 0) return exitCodes.done
  print(`the backup lacks ${photos(missing.length)}: is DATA_DIR the folder of the venue?`)
  return exitCodes.damaged
}

const photos = (count: number): string => (count === 1 ? '1 photo' : `${count} photos`)

async function check(settings: Settings, { file, part }: FileCommand, keys: Keys | null): Promise<number> {
  const { manifest, findings, passed } = await checkBackup(settings, file, {
    keys,
    ownKeys: await findVenueKeys(settings),
    part,
    progress,
  })
  print(
    `${file}: ${manifest.kind}, version ${manifest.version}, as of ${new Date(manifest.at).toISOString()}`,
  )
  for (const line of passed) print(`ok       ${line}`)
  for (const line of findings) print(`DAMAGED  ${line}`)
  print(findings.length === 0 ? 'the backup is good' : `the backup is damaged: findings: ${findings.length}`)
  return findings.length === 0 ? exitCodes.done : exitCodes.damaged
}

async function restore(settings: Settings, file: string, keys: Keys | null): Promise<number> {
  const { at } = await restoreBackup(settings, file, keys, progress)
  print(`restored as of ${new Date(at).toISOString()}`)
  if (keys === null) print('start it with the keys of that time: VENUE_KEY')
  return exitCodes.done
}

const keyLine = (keyFile: string | undefined): string =>
  keyFile === undefined
    ? 'the key is not in it: without it nobody can restore the backup, nor read anything of it'
    : `WARNING: ${keyFile} has the key. Move it to another place: who has both can read everything`

await runOperatorCommand('backup', run)
