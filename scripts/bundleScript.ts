import { resolve } from 'node:path'
import { build } from 'vite'
import { buildTarget } from './oldestBrowsers.ts'

/** Bundles a source file as one classic script, with some names replaced by values. */
export async function bundleScript(source: string, values: Record<string, unknown>): Promise<string> {
  const root = resolve(import.meta.dirname, '..')
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
    build: {
      write: false,
      target: buildTarget,
      modulePreload: false,
      rolldownOptions: {
        input: resolve(root, source),
        treeshake: { moduleSideEffects: false },
        output: { format: 'iife' },
      },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const script = first && 'output' in first ? first.output[0].code : undefined
  if (script === undefined) throw new Error(`${source} was not built`)
  return script
}
