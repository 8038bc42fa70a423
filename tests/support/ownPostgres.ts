import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, unprivileged } from './otherPrograms.ts'

/** `fast` ends every session and shuts down; `immediate` is a crash, after which it recovers. */
type StopMode = 'fast' | 'immediate'

/** A PostgreSQL server of a test's own, which it can restart, end and copy. */
export type OwnPostgres = {
  /** The address of its database `postgres`; anyone on this machine may log in. */
  readonly url: string
  readonly port: number
  /** It is down for `downMs` or longer. */
  restart(mode: StopMode, downMs?: number): Promise<void>
  stop(mode: StopMode): Promise<void>
  start(): Promise<void>
  /** Ends it as a loss of power does, for good. */
  kill(): Promise<void>
  /** A copy that follows it. Commits wait for the replica from now on. */
  openReplica(): Promise<OwnPostgres>
  /** Makes a replica the primary, whose commits wait for nobody. */
  promote(): Promise<void>
  /** Copies the files of the running server, as `pg_basebackup` does. */
  copyTo(folder: string): Promise<void>
  /** What it has logged: on its standard settings a line for each statement that failed, and the statement. */
  log(): Promise<string>
  close(): Promise<void>
}

const run = promisify(execFile)

/** Debian keeps the programs of each version in a folder of its own. */
const debianFolder = '/usr/lib/postgresql'
const debianVersions = (): string[] =>
  existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : []

const neededPrograms = ['initdb', 'pg_ctl', 'pg_basebackup']

/** Where a server's programs are. */
const programsFolder = (): string | undefined =>
  [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...debianVersions().map((version) => join(debianFolder, version, 'bin')),
  ].find((folder) => neededPrograms.every((program) => existsSync(join(folder, program))))

/** Why no server can be started; null if one can. */
export const ownPostgresUnavailableReason = (): string | null =>
  programsFolder() === undefined ? `${neededPrograms.join(', ')} are not installed` : null

/** A folder that PostgreSQL's programs can write, whoever they run as. */
export async function postgresFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const user = unprivileged()
  if (user !== null) await chown(folder, user.uid, user.gid)
  return folder
}

/** @param settings lines of `postgresql.conf` */
export async function openOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  const folder = await postgresFolder()
  const arguments_ = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync']
  await runProgram('initdb', folder, '-D', join(folder, 'data'), ...arguments_)
  await appendFile(join(folder, 'data/postgresql.conf'), linesOf(settings))
  return startServer(folder)
}

/**
 * Starts a server on a copy of another one's files, `data` of its folder, recovered from its archive up to an instant.
 * @param until as PostgreSQL writes an instant
 */
export async function recoverOwnPostgres(
  folder: string,
  archive: string,
  until: string,
): Promise<OwnPostgres> {
  const data = join(folder, 'data')
  const settings = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${until}'`,
    "recovery_target_action = 'promote'",
    'archive_mode = off',
  ]
  await appendFile(join(data, 'postgresql.conf'), linesOf(settings))
  await writeFile(join(data, 'recovery.signal'), '')
  return startServer(folder)
}

const linesOf = (settings: readonly string[]): string => settings.map((line) => `${line}\n`).join('')

async function runProgram(program: string, cwd: string, ...args: string[]): Promise<string> {
  const programs = programsFolder()
  if (programs === undefined) throw new Error(`${neededPrograms.join(', ')} are not installed`)
  const { stdout } = await run(join(programs, program), args, { cwd, ...unprivileged() })
  return stdout
}

/** Starts the server whose files are in `data` of a folder, which is removed with it. */
async function startServer(folder: string): Promise<OwnPostgres> {
  const data = join(folder, 'data')
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c max_connections=300`
  const start = ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options]
  const control = (...args: string[]): Promise<string> => runProgram('pg_ctl', folder, ...args)
  let isRunning = false
  const startAgain = async (): Promise<void> => {
    await control(...start, 'start')
    isRunning = true
  }
  const stop = async (mode: StopMode): Promise<void> => {
    isRunning = false
    await control('-D', data, '-w', '-m', mode, 'stop')
  }
  await startAgain()
  const execute = async (...statements: string[]): Promise<void> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const copyTo = async (copy: string, ...args: string[]): Promise<void> => {
    const from = `${url}?application_name=${replicaName}`
    await runProgram('pg_basebackup', folder, '-D', copy, '-d', from, '-c', 'fast', '--no-sync', ...args)
  }
  return {
    url,
    port,
    log: () => readFile(join(folder, 'log'), 'utf8'),
    stop,
    start: startAgain,
    restart: async (mode, downMs = 0) => {
      await stop(mode)
      await wait(downMs)
      await startAgain()
    },
    kill: async () => {
      isRunning = false
      const [pid = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
      // Its sessions end by themselves as soon as they find it gone, and answer nothing more.
      process.kill(Number(pid), 'SIGKILL')
    },
    openReplica: async () => {
      const own = await postgresFolder()
      // With -R the copy follows the server that it was made from.
      await copyTo(join(own, 'data'), '-R')
      const replica = await startServer(own)
      await execute(`ALTER SYSTEM SET synchronous_standby_names = '${replicaName}'`, reload)
      return replica
    },
    promote: () => execute("ALTER SYSTEM SET synchronous_standby_names = ''", reload, 'SELECT pg_promote()'),
    copyTo,
    close: async () => {
      if (isRunning) await stop('immediate')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const replicaName = 'replica'
const reload = 'SELECT pg_reload_conf()'
