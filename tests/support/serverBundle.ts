import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build } from 'vite'

const root = new URL('../../', import.meta.url).pathname

/** What tests start as processes of their own besides the venue. */
const scripts = {
  commitForever: join(root, 'tests/support/commitForever.ts'),
  uptick: join(root, 'packages/uptick/src/cli/main.ts'),
}

/** Bundles the venue as `npm start` runs it, into a folder of its own: a start from the sources takes seconds. */
async function bundleServer(
  input: Record<string, string> = {},
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = join(root, `dist/test-${randomUUID().slice(0, 8)}`)
  await build({
    configFile: join(root, 'server/vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: folder, emptyOutDir: true, rollupOptions: { input } },
  })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs `work` with the `main.js` of a new bundle: for runs outside Vitest, where `inject('serverBundle')` has no value. */
export const withServerBundle = <T>(work: (main: string) => Promise<T>): Promise<T> =>
  withBundle({}, (folder) => work(join(folder, 'main.js')))

/**
 * Runs `work` with the folder of a new bundle that also has these scripts, by the names of their files. A measurement of
 * the venue's code needs it: a TypeScript loader gives each function a name, which takes memory.
 */
export async function withBundle<T>(
  input: Record<string, string>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const bundle = await bundleServer(input)
  try {
    return await work(bundle.folder)
  } finally {
    await bundle.remove()
  }
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  export interface ProvidedContext {
    /** Folder of `main.js`, `desk.js`, `commitForever.js` and `uptick.js`. */
    serverBundle: string
  }
}

/** Vitest's global setup: one bundle for all test files of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = await bundleServer(scripts)
  project.provide('serverBundle', bundle.folder)
  return bundle.remove
}
