import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from '../../platform/settingsError.ts'
import type { Random } from '../../platform/ports.ts'
import { createVault } from '../../platform/vault.ts'
import { errorCodeOf } from '../../platform/errorCode.ts'

/** In the data folder. */
const uploadsFolder = 'uploads'
/** The names of our files; nothing else in the folder is ever touched. */
export const uploadNamePattern = /^[0-9a-f-]{36}$/

/** Encrypted files in the data folder, one per upload. */
export type UploadFiles = {
  /** The file is durable when it resolves. */
  write(id: string, content: Uint8Array): Promise<void>
  read(id: string): Promise<Buffer>
  /** Does nothing if the file does not exist. */
  remove(id: string): Promise<void>
  /** The ids of the files, also unfinished ones, with the instant at which each was last written. */
  writtenAt(): Promise<Map<string, number>>
}

/**
 * Finds out before the first picture whether the folder, such as a shared one, can be written, if it is there already.
 * @throws SettingsError with one line
 */
export async function checkUploadsFolder(dataDir: string): Promise<void> {
  const dir = join(dataDir, uploadsFolder)
  const path = join(dir, `.write-check-${randomUUID()}`)
  try {
    await writeFile(path, '')
    await rm(path)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'ENOENT' && !existsSync(dir)) return
    throw new SettingsError(`${dir} cannot be written (${String(code)}): it must belong to the venue's user`)
  }
}

/** @param secret the upload key, which is stored outside the database */
export function createUploadFiles(dir: string, secret: Uint8Array, random: Random): UploadFiles {
  const vault = createVault(secret, 'uploads', random)
  const pathOf = (id: string): string => {
    if (!uploadNamePattern.test(id)) throw new Error('The id is not the name of an upload.')
    return join(dir, id)
  }
  return {
    write: async (id, content) => {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const partPath = `${pathOf(id)}.part`
      const file = await open(partPath, 'w', 0o600)
      try {
        await file.writeFile(vault.encrypt(content, id))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(partPath, pathOf(id))
    },
    read: async (id) => vault.decrypt(await readFile(pathOf(id)), id),
    remove: async (id) => {
      await rm(pathOf(id), { force: true })
      await rm(`${pathOf(id)}.part`, { force: true })
    },
    writtenAt: async () => {
      const instants = new Map<string, number>()
      for (const name of await readdir(dir).catch(() => [])) {
        const id = name.replace(/\.part$/, '')
        if (!uploadNamePattern.test(id)) continue
        // Another node may have removed it since.
        const file = await stat(join(dir, name)).catch(() => null)
        if (file) instants.set(id, Math.max(file.mtimeMs, instants.get(id) ?? 0))
      }
      return instants
    },
  }
}
