import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCheckpoint, type Checkpoint } from '../../../contract/tlog/checkpoint.ts'
import { parseNote } from '../../../contract/tlog/note.ts'

/**
 * The newest checkpoint that this data folder has signed, or seen as a standby, under each name of the log: it shows if the database went back
 * since, also to a copy from before the log got its present name.
 */
export type SignedFile = {
  /** Null if there is none under this name, or it cannot be read. */
  read(origin: string): Promise<Checkpoint | null>
  write(origin: string, note: string): Promise<void>
}

export function createSignedFile(dataDir: string): SignedFile {
  const path = join(dataDir, 'log.checkpoint')
  const pathOf = (origin: string): string => `${path}.${origin.slice(origin.lastIndexOf('/') + 1)}`
  const readAt = async (file: string): Promise<Checkpoint | null> => {
    const note = parseNote(await readFile(file, 'utf8').catch(() => ''))
    return note && parseCheckpoint(note.text)
  }
  /** The name that the newest file is known to have. */
  let newest: string | null = null
  return {
    read: async (origin) => {
      const found = [await readAt(path), await readAt(pathOf(origin))]
      return found.find((checkpoint) => checkpoint?.origin === origin) ?? null
    },
    write: async (origin, note) => {
      if (newest !== origin) {
        const before = await readAt(path)
        if (before !== null && before.origin !== origin) await rename(path, pathOf(before.origin))
        newest = origin
      }
      await writeFile(`${path}.new`, note, { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
}
