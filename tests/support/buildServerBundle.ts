import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '../..')

const commitForever = 'tests/support/commitForever.ts'
/** What the bundle for tests is made of, besides packages. */
export const bundleFolders = [
  'contract',
  'locales',
  'packages/uptick/src',
  'server',
  'src',
  'streams',
  'tests/support/exchange',
]
export const bundleFiles = [commitForever, 'tests/support/random.ts', 'package-lock.json']

/** What tests start as processes of their own besides the venue. */
const scripts = {
  commitForever: join(root, commitForever),
  uptick: join(root, 'packages/uptick/src/cli/main.ts'),
}

export const newFolder = (): string => join(root, `dist/test-${randomUUID().slice(0, 8)}`)

/** A bundle is found by what is in these folders: one of other files would be used after a change of them. */
const onlyKnownFolders: Plugin = {
  name: 'only-known-folders',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle)
      .flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
      .filter((id) => id.startsWith(root) && !id.includes('/node_modules/'))
      .map((id) => relative(root, id))
    const others = files.filter(
      (file) => !bundleFiles.includes(file) && !bundleFolders.some((name) => file.startsWith(`${name}/`)),
    )
    if (others.length > 0) throw new Error(`not in a folder of the bundle's sources: ${others.join(', ')}`)
  },
}

/** Bundles the venue as `npm run build` does, with these scripts. */
export async function buildVenue(
  outDir: string,
  input: Record<string, string>,
  plugins: Plugin[] = [],
): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: join(root, 'server/vite.config.ts'),
    logLevel: 'silent',
    plugins,
    build: { outDir, emptyOutDir: true, rollupOptions: { input } },
  })
}

const dayMs = 86_400_000

/** Removes what no run uses any more. */
async function removeOld(): Promise<void> {
  const dist = join(root, 'dist')
  const old = readdirSync(dist)
    .filter((name) => name.startsWith('test-'))
    .map((name) => join(dist, name))
    .filter((path) => statSync(path).mtimeMs < Date.now() - dayMs)
  await Promise.all(old.map((path) => rm(path, { recursive: true, force: true })))
}

if (process.argv[1] === import.meta.filename) {
  const [folder = ''] = process.argv.slice(2)
  const draft = newFolder()
  await buildVenue(draft, scripts, [onlyKnownFolders])
  // Another thread may have built the same meanwhile.
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  await removeOld()
}
