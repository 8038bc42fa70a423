import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { link, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createFolders, removeEmptyFolders } from './createFolders.ts'
import { readAnnouncement, removeAnnouncement, writeAnnouncement } from './venueAddress.ts'
import { hasErrorCode } from '../errorCode.ts'

/** Another process has locked the data folder. */
export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError'
}

export type DataDirLock = {
  /** Writes beside the lock where its holder listens, until its release. */
  announce(url: string): Promise<void>
  release(): Promise<void>
}

type Holder = {
  readonly token: string
  readonly pid: number
  /** Start of the process, so that a reused pid is not mistaken for the holder; null if the system does not report it. */
  readonly startedAt: string | null
  /** The boot and process namespace that the pid belongs to; null if the system does not report it. */
  readonly realm: string | null
}

/** The holder touches its lock this often … */
const heartbeatIntervalMs = 5_000
/** … and counts as abandoned after this long if its pid cannot be checked (another container or machine). */
const silentMs = 30_000

const lockName = /^venue\.lock\.(\d+)$/

/**
 * Locks `dataDir` for this process until `release` or the process's end. Node has no advisory file locks, so the lock is
 * a numbered file created atomically with a hard link, and the highest number is the lock. The lock of a killed process
 * is taken over by creating the next number, never by changing the old file: of several starting processes only one can
 * create it. A folder that this call created is removed again by `release` if nothing was stored in it.
 * @throws DataDirLockedError if a running process has the lock
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const created = await createFolders(resolve(dataDir))
  const pathOf = (number: number): string => join(dataDir, `venue.lock.${number}`)
  const before = Math.max(0, ...(await lockNumbers(dataDir)))
  if (before > 0) {
    const holder = await readHolder(pathOf(before))
    if (await isAlive(pathOf(before), holder)) throw dataDirLocked(dataDir, holder)
  }

  const ownNumber = before + 1
  const path = pathOf(ownNumber)
  const token = randomUUID()
  if (!(await claim(path, token))) throw dataDirLocked(dataDir, null)
  const others = (await lockNumbers(dataDir)).filter((number) => number !== ownNumber)
  if (others.some((number) => number > ownNumber)) {
    // Another process took over from a holder that started and ended since the check above.
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
    announce: (url) => writeAnnouncement(dataDir, { token, pid: process.pid, url }),
    release: async () => {
      clearInterval(heartbeat)
      await removeAnnouncement(dataDir, token)
      if ((await readHolder(path))?.token === token) await rm(path, { force: true })
      await removeEmptyFolders(created)
    },
  }
}

/**
 * Where the venue of a data folder listens, as its process wrote it.
 * @returns null if none ever did, or one has stopped; `isRunning` is false if it ended without stopping
 */
export async function findVenue(
  dataDir: string,
): Promise<{ url: string; pid: number; isRunning: boolean } | null> {
  const announced = await readAnnouncement(dataDir)
  if (announced === null) return null
  const { url, pid, token } = announced
  const path = join(dataDir, `venue.lock.${Math.max(0, ...(await lockNumbers(dataDir)))}`)
  const holder = await readHolder(path)
  return { url, pid, isRunning: holder?.token === token && (await isAlive(path, holder)) }
}

async function lockNumbers(dataDir: string): Promise<number[]> {
  return (await readdir(dataDir)).flatMap((name) => lockName.exec(name)?.slice(1, 2).map(Number) ?? [])
}

/** Creates the lock file with its content in one step; returns false if it exists. */
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
    if (hasErrorCode(error, 'EEXIST')) return false
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
    return hasErrorCode(error, 'EPERM')
  }
}

/**
 * When a process started, in Linux's clock ticks since boot; null if it is gone, a zombie, or in another namespace.
 * It is field 22 of `/proc/PID/stat`, counted from after the name in brackets (field 2), which may contain spaces.
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
  return new DataDirLockedError(
    `DATA_DIR ${dataDir} is in use by ${by}: stop it first, or set another DATA_DIR`,
  )
}
