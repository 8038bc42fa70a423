import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildVenue, bundleFiles, bundleFolders, newFolder } from './buildServerBundle.ts'

const root = join(import.meta.dirname, '../..')
const program = join(import.meta.dirname, 'buildServerBundle.ts')

let folder: string | null = null

/**
 * Folder of `main.js`, `desk.js`, `commitForever.js` and `uptick.js`: the venue as `npm start` runs it, because a start
 * from the sources takes seconds. It is built when a test first needs it, and again only after a change of its sources.
 */
export function serverBundle(): string {
  folder ??= findBundle()
  return folder
}

function findBundle(): string {
  const found = join(root, 'dist', `test-${hashOfSources()}`)
  if (existsSync(found)) utimesSync(found, new Date(), new Date())
  else execFileSync(process.execPath, ['--import', 'tsx', program, found], { cwd: root, stdio: 'inherit' })
  return found
}

/** Of every file that a bundle may be made of. */
function hashOfSources(): string {
  const sum = createHash('sha256')
  const inFolders = bundleFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  for (const name of [...bundleFiles, ...inFolders].toSorted())
    if (statSync(join(root, name)).isFile()) sum.update(name).update(readFileSync(join(root, name)))
  return sum.digest('hex').slice(0, 16)
}

/** Runs `work` with the `main.js` of the bundle, for programs that wait for it. */
export const withServerBundle = <T>(work: (main: string) => Promise<T>): Promise<T> =>
  work(join(serverBundle(), 'main.js'))

/**
 * Runs `work` with the folder of a new bundle that also has these scripts, by the names of their files. A measurement of
 * the venue's code needs it: a TypeScript loader gives each function a name, which takes memory.
 */
export async function withBundle<T>(
  input: Record<string, string>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const own = newFolder()
  try {
    await buildVenue(own, input)
    return await work(own)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
