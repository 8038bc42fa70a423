import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { link, mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Another process holds the data folder. */
export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError'
}

export type DataDirLock = {
  release(): Promise<void>
}

type Holder = {
  readonly token: string
  readonly pid: number
  /** Start of the process, so that a reused pid is not taken for the holder; null where the system does not tell. */
  readonly startedAt: string | null
  /** Which boot and process namespace the pid belongs to; null where the system does not tell. */
  readonly realm: string | null
}

/** The holder touches its lock this often … */
const heartbeatIntervalMs = 5_000
/** … and is taken for dead after this long where its pid cannot be asked after (another container or machine). */
const silentMs = 30_000

const lockName = /^venue\.lock\.(\d+)$/

/**
 * Locks `dataDir` for this process until `release` or the process's end. Node has no advisory file locks, so the lock is
 * a numbered file made atomically with a hard link, and the highest number holds. The lock of a killed process is taken
 * over by making the next number, never by touching the dead one's: of any number of starters only one can make it.
 * @throws DataDirLockedError when a living process holds it
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const pathOf = (number: number): string => join(dataDir, `venue.lock.${number}`)
  const before = Math.max(0, ...(await lockNumbers(dataDir)))
  if (before > 0) {
    const holder = await readHolder(pathOf(before))
    if (await isAlive(pathOf(before), holder)) throw dataDirLocked(dataDir, holder)
  }

  const mine = before + 1
  const path = pathOf(mine)
  const token = randomUUID()
  if (!(await claim(path, token))) throw dataDirLocked(dataDir, null)
  const others = (await lockNumbers(dataDir)).filter((number) => number !== mine)
  if (others.some((number) => number > mine)) {
    // Somebody took over from a holder that came and went since we looked.
    await rm(path, { force: true })
    throw dataDirLocked(dataDir, null)
  }
  await Promise.all(others.map((number) => rm(pathOf(number), { force: true })))

  const heartbeat = setInterval(
    () => void utimes(path, new Date(), new Date()).catch(() => undefined),
    heartbeatIntervalMs,
  )
  heartbeat.unref()
  return {
    release: async () => {
      clearInterval(heartbeat)
      if ((await readHolder(path))?.token === token) await rm(path, { force: true })
    },
  }
}

async function lockNumbers(dataDir: string): Promise<number[]> {
  return (await readdir(dataDir)).flatMap((name) => lockName.exec(name)?.slice(1, 2).map(Number) ?? [])
}

/** Makes the lock file, whole at once; false when there is one. */
async function claim(path: string, token: string): Promise<boolean> {
  const holder: Holder = {
    token,
    pid: process.pid,
    startedAt: readProcessStart(process.pid),
    realm: currentRealm(),
  }
  const draft = `${path}.${token}`
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function isAlive(path: string, holder: Holder | null): Promise<boolean> {
  if (holder !== null && holder.realm !== null && holder.realm === currentRealm()) {
    return holder.startedAt !== null && readProcessStart(holder.pid) === holder.startedAt
  }
  if (holder !== null && holder.realm === null && !pidExists(holder.pid)) return false
  try {
    return Date.now() - (await stat(path)).mtimeMs < silentMs
  } catch {
    return false
  }
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * When a process started, in Linux's ticks since boot; null when it is gone, dead and not yet collected, or elsewhere.
 * It is field 22 of `/proc/PID/stat`, counted from behind the name in brackets (field 2), which may hold spaces.
 */
function readProcessStart(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
  } catch {
    return null
  }
}

function currentRealm(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return null
  }
}

function dataDirLocked(dataDir: string, holder: Holder | null): DataDirLockedError {
  const by = holder === null ? 'another process' : `process ${holder.pid}`
  return new DataDirLockedError(`The data folder ${dataDir} is in use by ${by}.`)
}
