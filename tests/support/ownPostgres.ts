import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, unprivileged } from './otherPrograms.ts'

/** `fast` ends every session and shuts down; `immediate` is a crash, after which it recovers. */
type StopMode = 'fast' | 'immediate'

/** A PostgreSQL server of a test's own, which it can restart. */
export type OwnPostgres = {
  /** The address of its database `postgres`; anyone on this machine may log in. */
  readonly url: string
  restart(mode: StopMode): Promise<void>
  stop(mode: StopMode): Promise<void>
  start(): Promise<void>
  /** What it has logged: on its standard settings a line for each statement that failed, and the statement. */
  log(): Promise<string>
  close(): Promise<void>
}

const run = promisify(execFile)

/** Debian keeps the programs of each version in a folder of its own. */
const debianFolder = '/usr/lib/postgresql'
const debianVersions = (): string[] =>
  existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : []

/** Where a server's programs are. */
const programsFolder = (): string | undefined =>
  [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...debianVersions().map((version) => join(debianFolder, version, 'bin')),
  ].find((folder) => ['initdb', 'pg_ctl'].every((program) => existsSync(join(folder, program))))

/** Why no server can be started; null if one can. */
export const ownPostgresUnavailableReason = (): string | null =>
  programsFolder() === undefined ? 'initdb and pg_ctl are not installed' : null

export async function openOwnPostgres(): Promise<OwnPostgres> {
  const programs = programsFolder()
  if (programs === undefined) throw new Error('initdb and pg_ctl are not installed')
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const user = unprivileged()
  if (user !== null) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c max_connections=300`
  const call = (program: string, ...args: string[]): Promise<unknown> =>
    run(join(programs, program), ['-D', data, ...args], { cwd: folder, ...user })
  await call('initdb', '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync')
  const start = ['-w', '-l', join(folder, 'log'), '-o', options]
  await call('pg_ctl', ...start, 'start')
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    log: () => readFile(join(folder, 'log'), 'utf8'),
    stop: async (mode) => void (await call('pg_ctl', '-w', '-m', mode, 'stop')),
    start: async () => void (await call('pg_ctl', ...start, 'start')),
    restart: async (mode) => void (await call('pg_ctl', ...start, '-m', mode, 'restart')),
    close: async () => {
      await call('pg_ctl', '-w', '-m', 'immediate', 'stop')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
