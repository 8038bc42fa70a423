import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { filesWith } from './chunkGraph.ts'
import type { BuildFiles } from '../src/pwa/cacheStrategy.ts'

const root = resolve(import.meta.dirname, '..')
const readText = (path: string): string => readFileSync(resolve(root, path), 'utf8')

/**
 * Files the page requests under a fixed name. The icons of the installed app are not listed: the device stores them
 * itself.
 */
const plain = ['/icon.svg']

/**
 * Makes the client installable: emits the service worker with the list of this build's files, and a manifest for each
 * language. It must run after every other plugin that changes the page.
 */
export function installable(): Plugin {
  return {
    name: 'installable',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    enforce: 'post',
    async generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: await bundleWorker(filesOf(bundle)) })
      for (const [language, source] of manifests())
        this.emitFile({ type: 'asset', fileName: `manifest.${language}.webmanifest`, source })
    },
  }
}

/** The files of this build that the worker caches, by the part of the cache they belong to. */
function filesOf(bundle: Rolldown.OutputBundle): BuildFiles {
  const outputs = Object.values(bundle)
  const chunks = outputs.filter((output) => output.type === 'chunk')
  const entry = chunks.find((chunk) => chunk.isEntry)
  const page = bundle['index.html']
  if (!entry || page?.type !== 'asset') throw new Error('the build has no entry or no page')
  const html = String(page.source)
  const referenced = [...html.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path)
  const shell = [...new Set([...referenced, ...filesWith(entry, bundle)])].sort()
  const packs: Record<string, string> = {}
  for (const { facadeModuleId, fileName } of chunks) {
    const language = /\/locales\/([\w-]+)\.json$/.exec(facadeModuleId ?? '')?.[1]
    if (language !== undefined) packs[language] = `/${fileName}`
  }
  const known = new Set([...shell, ...Object.values(packs)])
  const rest = outputs
    .map(({ fileName }) => `/${fileName}`)
    .filter((path) => path.startsWith('/assets/') && !known.has(path))
    .sort()
  const files = { entry: `/${entry.fileName}`, shell, rest, packs, plain }
  const plainContents = plain.map((path) => readText(`public${path}`))
  const version = createHash('sha256').update(JSON.stringify([files, html, plainContents]))
  return { version: version.digest('hex').slice(0, 12), ...files }
}

/** The worker as one classic script: not every browser accepts a module worker. */
async function bundleWorker(files: BuildFiles): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { __BUILD__: JSON.stringify(files) },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: resolve(root, 'src/pwa/worker.ts'), output: { format: 'iife' } },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const script = first && 'output' in first ? first.output[0].code : undefined
  if (script === undefined) throw new Error('the worker was not built')
  return script
}

type Pack = { common: { appName: string }; welcome: { sentence: string }; title: Record<string, string> }
/** The pages offered on a long press on the app's icon, by the key of their title. */
const shortcuts = { products: 'product/product', orders: 'order/order', messages: 'message/message' }

/** The manifest in every language that has a pack. */
function manifests(): [language: string, source: string][] {
  const base = JSON.parse(readText('public/manifest.webmanifest')) as object
  return readdirSync(resolve(root, 'locales'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { common, welcome, title } = JSON.parse(readText(`locales/${file}`)) as Pack
      const lang = file.replace('.json', '')
      const names = Object.entries(shortcuts).map(([key, path]) => ({
        name: title[key],
        url: `/#/pages/${path}`,
      }))
      const own = { name: common.appName, short_name: common.appName, description: welcome.sentence, lang }
      return [lang, JSON.stringify({ ...base, ...own, shortcuts: names })]
    })
}
