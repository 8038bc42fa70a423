import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as z from 'zod/mini'

const announcement = z.object({
  /** Of the lock of the data folder. */
  token: z.string(),
  pid: z.number(),
  url: z.string(),
})
/** Where the process that holds, or held, the data folder listens. */
export type Announcement = z.infer<typeof announcement>

const pathIn = (dataDir: string): string => join(dataDir, 'venue.address')

/** The address for a command on the same machine: who listens on all interfaces also listens on loopback. */
export function localUrl({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Readable by the venue's user alone, like the key beside it. */
export async function writeAnnouncement(dataDir: string, content: Announcement): Promise<void> {
  const draft = `${pathIn(dataDir)}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, pathIn(dataDir))
}

/** Null if there is none, or it cannot be read. */
export async function readAnnouncement(dataDir: string): Promise<Announcement | null> {
  try {
    return announcement.parse(JSON.parse(await readFile(pathIn(dataDir), 'utf8')))
  } catch {
    return null
  }
}

/** Removes the announcement of one lock, and no other one. */
export async function removeAnnouncement(dataDir: string, token: string): Promise<void> {
  if ((await readAnnouncement(dataDir))?.token === token) await rm(pathIn(dataDir), { force: true })
}
