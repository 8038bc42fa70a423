import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { pageFile } from '../server/platform/http/pageFile.ts'
import type { BuildFiles } from '../src/pwa/cacheStrategy.ts'
import type { NotificationTexts } from '../src/pwa/notification.ts'
import { bundleScript } from './bundleScript.ts'
import { filesOf } from './chunkGraph.ts'

const root = resolve(import.meta.dirname, '..')
const readText = (path: string): string => readFileSync(resolve(root, path), 'utf8')

/**
 * Files the page requests under a fixed name. The icons of the installed app are not listed: the device stores them
 * itself.
 */
const plain = ['/icon.svg', '/brand.css', '/oldBrowser.js']

/**
 * Makes the client installable: emits the service worker with the list of this build's files, and a manifest for each
 * language. It must run after the plugin that renders the pages.
 */
export function installable(): Plugin {
  return {
    name: 'installable',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const packs = readPacks()
      // One classic script: not every browser accepts a module worker.
      const worker = await bundleScript('src/pwa/worker.ts', {
        __BUILD__: buildFilesOf(bundle, [...packs.keys()]),
        __TEXTS__: Object.fromEntries([...packs].map(([language, { alert }]) => [language, alert.reached])),
      })
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker })
      for (const [language, source] of manifestsOf(packs))
        this.emitFile({ type: 'asset', fileName: `manifest.${language}.webmanifest`, source })
    },
  }
}

/** The files of this build that the worker caches, by the part of the cache they belong to. */
function buildFilesOf(bundle: Rolldown.OutputBundle, languages: readonly string[]): BuildFiles {
  const entryFiles = filesOf('src/main.tsx', bundle)
  const [entry = ''] = entryFiles
  const pages = languages.map((language) => {
    const page = bundle[pageFile(language)]
    if (page?.type !== 'asset') throw new Error(`the build has no page in ${language}`)
    return String(page.source)
  })
  const referenced = pages.flatMap((page) => page.match(/\/assets\/[\w.-]+/g) ?? [])
  const shell = [...new Set([...referenced, ...entryFiles])].sort()
  const packs = Object.fromEntries(
    languages.map((language) => [language, filesOf(`locales/${language}.json`, bundle)[0] ?? '']),
  )
  const known = new Set([...shell, ...Object.values(packs)])
  const rest = Object.values(bundle)
    .map(({ fileName }) => `/${fileName}`)
    .filter((path) => path.startsWith('/assets/') && !known.has(path))
    .sort()
  const files = { entry, shell, rest, packs, plain }
  const plainContents = plain.map((path) => readText(`public${path}`))
  const version = createHash('sha256').update(JSON.stringify([files, pages, plainContents]))
  return { version: version.digest('hex').slice(0, 12), ...files }
}

type Pack = {
  common: { appName: string }
  welcome: { sentence: string }
  title: Record<string, string>
  alert: { reached: NotificationTexts }
}
/** The pages offered on a long press on the app's icon, by the key of their title. */
const shortcuts = { products: 'product/product', orders: 'order/order', messages: 'message/message' }

const readPacks = (): Map<string, Pack> =>
  new Map(
    readdirSync(resolve(root, 'locales'))
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file.replace('.json', ''), JSON.parse(readText(`locales/${file}`)) as Pack]),
  )

/** The manifest in every language that has a pack. */
function manifestsOf(packs: Map<string, Pack>): [language: string, source: string][] {
  const base = JSON.parse(readText('public/manifest.webmanifest')) as object
  return [...packs].map(([lang, { common, welcome, title }]) => {
    const names = Object.entries(shortcuts).map(([key, path]) => ({
      name: title[key],
      url: `/#/pages/${path}`,
    }))
    const own = { name: common.appName, short_name: common.appName, description: welcome.sentence, lang }
    return [lang, JSON.stringify({ ...base, ...own, shortcuts: names })]
  })
}
