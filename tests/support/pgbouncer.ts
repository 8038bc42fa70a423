import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe } from 'vitest'
import { freePort, unprivileged } from './otherPrograms.ts'
import { postgresServer, postgresUnavailableReason } from './scratchPostgres.ts'

/** A pooler in transaction mode before the server for tests. */
export type PgBouncer = {
  /** The address of a database through the pooler. */
  through(databaseUrl: string): string
  close(): Promise<void>
}

/** Debian installs it in a folder that is not in every PATH. */
const env = { ...process.env, PATH: [process.env['PATH'], '/usr/sbin'].join(delimiter) }

/** `describe`, or `describe.skip` with one line that says why if PgBouncer or PostgreSQL is missing. */
export async function describeWithPgBouncer(name: string): Promise<typeof describe | typeof describe.skip> {
  const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env }).status === 0
  const reason = hasPgBouncer ? await postgresUnavailableReason() : 'the program pgbouncer is not installed'
  if (reason === null) return describe
  console.warn(`PgBouncer tests of ${name} are skipped: ${reason}.`)
  return describe.skip
}

/**
 * Starts PgBouncer on a free port, in a folder of its own.
 * @param logins that may connect besides the one of the tests, with its password
 */
export async function openPgBouncer(
  settings: Record<string, string> = {},
  logins: readonly string[] = [],
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(postgresServer())
  const user = decodeURIComponent(username)
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    max_client_conn: '500',
    ...settings,
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  const users = [user, ...logins].map((login) => `"${login}" "${decodeURIComponent(password)}"\n`)
  await writeFile(options.auth_file, users.join(''))
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${hostname} port=${serverPort || '5432'}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  await chmod(folder, 0o755)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...unprivileged(),
  })
  let log = ''
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (data: Buffer) => {
      log += data.toString()
      if (log.includes('process up')) resolve()
    })
    exited.then(() => reject(new Error(`PgBouncer ended: ${log}`)), reject)
  })
  return {
    through: (databaseUrl) => {
      const url = new URL(databaseUrl)
      return Object.assign(url, { hostname: '127.0.0.1', port: String(port) }).href
    },
    close: async () => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
