import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasErrorCode } from '../errorCode.ts'

/**
 * Creates a folder and its missing parents, each readable by its owner only. Node's recursive `mkdir` is not used,
 * because it never ends for a folder that the system cannot have, such as `/proc/x`.
 * @returns the folders that did not exist, the outermost first
 */
export async function createFolders(path: string): Promise<string[]> {
  try {
    return await createFolder(path)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT') || dirname(path) === path) throw error
  }
  const parents = await createFolders(dirname(path))
  return [...parents, ...(await createFolder(path))]
}

async function createFolder(path: string): Promise<string[]> {
  try {
    await mkdir(path, { mode: 0o700 })
    return [path]
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST') && (await stat(path)).isDirectory()) return []
    throw error
  }
}

/** Removes the folders of {@link createFolders} again, up to the first that is not empty. */
export async function removeEmptyFolders(created: readonly string[]): Promise<void> {
  try {
    for (const path of created.toReversed()) await rmdir(path)
  } catch {
    // It is in use: it has files by now, or another process removed it.
  }
}
