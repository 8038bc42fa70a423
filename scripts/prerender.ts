import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, createLogger } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { filesWith } from './chunkGraph.ts'
import type * as prerendered from '../src/prerender/prerender.tsx'

type PrerenderModule = typeof prerendered
type Bundle = Rolldown.OutputBundle

const root = resolve(import.meta.dirname, '..')
const startScript = 'src/prerender/start.js'

/**
 * The modules of the pages a visit can begin with, and of the streams: fetched in parallel with the app's own code,
 * not after it.
 */
const entryPageModules = (paths: PrerenderModule['paths']): Record<string, readonly string[]> => {
  const streams = 'src/startStreams.ts'
  const page = (name: string): readonly string[] => [`src/pages/${name}.tsx`, streams]
  return {
    [paths.welcome]: page('welcome/Welcome'),
    [paths.login]: page('login/Login'),
    [paths.home]: page('home/Home'),
    [paths.products]: page('products/Products'),
    [paths.product]: page('product/Product'),
    [paths.orders]: page('order/Orders'),
    [paths.order]: page('order/OrderPage'),
    [paths.fund]: page('fund/Fund'),
    [paths.user]: page('user/Account'),
  }
}

/**
 * Puts the landing page into the built page, so that it is visible before any script runs. The start script receives
 * its text in every language and the files each visit begins with.
 */
export function prerenderPlugin(): Plugin {
  return {
    name: 'first-paint',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    enforce: 'post',
    async generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('the build has no page')
      const { prerender, defaultLanguage, languages, paths, welcomePaths } = await loadPrerender()
      const markup = await prerender()
      const defaultMarkup = markup[defaultLanguage] ?? ''
      // The content security policy blocks style attributes in markup.
      if (defaultMarkup.includes(' style=')) throw new Error('the landing page has a style attribute')
      const entry = filesOf(bundle, 'src/main.tsx')
      const filesBeyond = (modules: readonly string[]): string[] => [
        ...new Set(
          modules.flatMap((module) => filesOf(bundle, module)).filter((file) => !entry.includes(file)),
        ),
      ]
      const pages = Object.fromEntries(
        Object.entries(entryPageModules(paths)).map(([path, modules]) => [path, filesBeyond(modules)]),
      )
      for (const path of welcomePaths) pages[path] = pages[paths.welcome] ?? []
      const buildInfo = {
        entry,
        welcome: welcomePaths,
        home: paths.home,
        packs: Object.fromEntries(languages.map((code) => [code, filesBeyond([`locales/${code}.json`])])),
        pages,
        words: Object.fromEntries(
          languages
            .filter((code) => code !== defaultLanguage)
            .map((code) => [code, translationsOf(defaultMarkup, markup[code] ?? '', code)]),
        ),
      }
      const script = readFileSync(resolve(root, startScript), 'utf8')
        .replace(/\}\)\(\{.*\}\)\n$/, () => `})(${JSON.stringify(buildInfo)})\n`)
        .replace(/\/\*[^]*?\*\//g, '')
        .replace(/\n\s*/g, '\n')
      const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8)
      const fileName = `assets/start-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source: script })
      page.source = String(page.source)
        .replace(`/${startScript}`, `/${fileName}`)
        // The start script loads the app later; the page only names its file.
        .replaceAll(/ *<(script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>\n/g, '')
        .replace('<html ', `<html data-app="${entry[0]}" `)
        .replace(
          '<div id="root"></div>',
          () => `<div id="root"><div data-first-paint inert>${defaultMarkup}</div></div>`,
        )
    },
  }
}

/** The URL paths of a module's chunk and of everything it imports statically. */
function filesOf(bundle: Bundle, module: string): string[] {
  const id = resolve(root, module)
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start =
    chunks.find((chunk) => chunk.facadeModuleId === id) ??
    chunks.find((chunk) => chunk.moduleIds.includes(id))
  if (start === undefined) throw new Error(`${module} is in no chunk`)
  return filesWith(start, bundle)
}

const textsOf = (markup: string): string[] => markup.split(/<[^>]*>/)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Another language's text for each piece of text in the page. */
function translationsOf(defaultMarkup: string, translatedMarkup: string, language: string): string[] {
  const from = textsOf(defaultMarkup)
  const to = textsOf(translatedMarkup)
  const isMismatched = to.some((text, index) => text !== '' && from[index] === '')
  if (from.length !== to.length || isMismatched)
    throw new Error(`the landing page has a different structure in ${language}`)
  return to.flatMap((text, index) => (from[index] === '' ? [] : [decodeEntities(text)]))
}

const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? '')

/** Builds the prerendered components for Node, loads them once and deletes the build. */
async function loadPrerender(): Promise<PrerenderModule> {
  const outDir = resolve(root, `dist/first-paint-${process.pid}`)
  await build({
    configFile: resolve(root, 'vite.config.ts'),
    customLogger: createLogger('error'),
    publicDir: false,
    build: {
      ssr: 'src/prerender/prerender.tsx',
      outDir,
      manifest: false,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'prerender.mjs', codeSplitting: false } },
    },
  })
  const prerenderModule = (await import(
    `${pathToFileURL(resolve(outDir, 'prerender.mjs')).href}?${Date.now()}`
  )) as PrerenderModule
  rmSync(outDir, { recursive: true, force: true })
  return prerenderModule
}
