import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCheckpoint } from '../../contract/tlog/checkpoint.ts'
import type { Checkpoint } from '../../contract/tlog/checkpoint.ts'
import { parseNote } from '../../contract/tlog/note.ts'

/** The newest checkpoint that this data folder has signed: it shows if the database went back since. */
export type SignedFile = {
  /** Null if there is none, or it cannot be read. */
  read(): Promise<Checkpoint | null>
  write(note: string): Promise<void>
}

export function createSignedFile(dataDir: string): SignedFile {
  const path = join(dataDir, 'log.checkpoint')
  return {
    read: async () => {
      const note = parseNote(await readFile(path, 'utf8').catch(() => ''))
      return note && parseCheckpoint(note.text)
    },
    write: async (note) => {
      await writeFile(`${path}.new`, note, { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
}
