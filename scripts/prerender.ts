import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, createLogger, type Plugin, type Rolldown, type ViteDevServer } from 'vite'
import { oldBrowserPage, pageFile } from '../server/platform/http/pageFile.ts'
import { chosenLanguage } from '../server/platform/http/requestLanguage.ts'
import type * as prerendered from '../src/start/prerender.tsx'
import type { StartFiles } from '../src/start/startFiles.ts'
import { bundleScript } from './bundleScript.ts'
import { filesOf } from './chunkGraph.ts'
import { oldestBrowsers } from './oldestBrowsers.ts'

type PrerenderModule = typeof prerendered

const root = resolve(import.meta.dirname, '..')
const prerenderModule = 'src/start/prerender.tsx'
const appEntry = 'src/main.tsx'

/**
 * The modules of the pages a visit can begin with, and of the streams: fetched in parallel with the app's own code,
 * not after it.
 */
const entryPageModules = (paths: PrerenderModule['paths']): Record<string, readonly string[]> => {
  const streams = 'src/start/startStreams.ts'
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

/** What a page loads after its first paint, if its visitors wait for it. */
const laterModules = (paths: PrerenderModule['paths']): Record<string, readonly string[]> => ({
  [paths.product]: ['src/chart/lightweight.ts'],
})

/** What `index.html` names as `%name%`, and as a comment where it is HTML. */
type PageValues = Record<
  | 'language'
  | 'app'
  | 'name'
  | 'description'
  | 'manifest'
  | 'start'
  | 'prerendered'
  | 'failed'
  | 'noScript'
  | 'retry',
  string
>

function fillPage(values: PageValues): string {
  let page = readFileSync(resolve(root, 'index.html'), 'utf8')
  for (const [name, value] of Object.entries(values))
    page = page.replaceAll(`%${name}%`, () => value).replaceAll(`<!--${name}-->`, () => value)
  return page
}

/**
 * Fills `index.html` for each language. A page of the build contains what is visible before the app runs; the development
 * server's page does not.
 */
export function prerenderPlugin(): Plugin {
  return {
    name: 'prerender',
    apply: (config, { command }) => command === 'serve' || !config.build?.ssr,
    enforce: 'post',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url?.split('?')[0] === '/') void sendSourcePage(server, request, response, next)
        else next()
      })
    },
    async generateBundle(_, bundle) {
      const { renderStartPages, renderOldBrowserPage, ...app } = await loadPrerenderModule()
      const files = startFilesOf(bundle, app)
      const source = await bundleScript('src/start/startScript.ts', { __START_FILES__: files })
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      const startScript = `assets/start-${hash}.js`
      this.emitFile({ type: 'asset', fileName: startScript, source })
      const styleSheets = Object.keys(bundle).filter((name) => name.endsWith('.css'))
      const [entry, [styleSheet]] = [files.entry[0], styleSheets]
      if (entry === undefined || styleSheet === undefined || styleSheets.length > 1)
        throw new Error('the build does not have one entry and one style sheet')
      const start = `<script src="/${startScript}"></script><link rel="stylesheet" href="/${styleSheet}" />`
      for (const texts of await renderStartPages()) {
        const { language } = texts
        const page = fillPage({ ...texts, app: entry, manifest: `/manifest.${language}.webmanifest`, start })
        // The content security policy blocks style attributes in markup.
        if (page.includes(' style=')) throw new Error('what is prerendered has a style attribute')
        this.emitFile({ type: 'asset', fileName: pageFile(language), source: page })
      }
      const oldBrowser = await renderOldBrowserPage(oldestBrowsers)
      this.emitFile({ type: 'asset', fileName: oldBrowserPage, source: oldBrowser })
    },
  }
}

async function sendSourcePage(
  server: ViteDevServer,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    const { pageTexts } = (await server.ssrLoadModule(prerenderModule)) as PrerenderModule
    const source = fillPage({
      ...pageTexts(chosenLanguage(request.headers)),
      app: `/${appEntry}`,
      manifest: '/manifest.webmanifest',
      start: `<script type="module" src="/${appEntry}"></script>`,
      prerendered: '',
      failed: '',
      noScript: '',
      retry: '',
    })
    const page = await server.transformIndexHtml(request.url ?? '/', source)
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Cookie' })
    response.end(page)
  } catch (error) {
    onError(error)
  }
}

type AppParts = Pick<
  PrerenderModule,
  'barsAnswer' | 'figureAnswers' | 'firstAnswers' | 'guestAnswers' | 'languages' | 'paths' | 'welcomePaths'
>

function startFilesOf(
  bundle: Rolldown.OutputBundle,
  { languages, paths, welcomePaths, ...app }: AppParts,
): StartFiles {
  const entry = filesOf(appEntry, bundle)
  const filesBeyondEntry = (modules: readonly string[]): string[] => [
    ...new Set(modules.flatMap((module) => filesOf(module, bundle)).filter((file) => !entry.includes(file))),
  ]
  const pages = Object.fromEntries(
    Object.entries(entryPageModules(paths)).map(([path, modules]) => [path, filesBeyondEntry(modules)]),
  )
  for (const path of welcomePaths) pages[path] = pages[paths.welcome] ?? []
  const later = Object.fromEntries(
    Object.entries(laterModules(paths)).map(([path, modules]) => [
      path,
      filesBeyondEntry(modules).filter((file) => pages[path]?.includes(file) !== true),
    ]),
  )
  const packs = Object.fromEntries(
    languages.map((code) => [code, filesBeyondEntry([`locales/${code}.json`])]),
  )
  const { barsAnswer, figureAnswers, firstAnswers: answers, guestAnswers } = app
  return { entry, pages, later, packs, answers, guestAnswers, barsAnswer, figureAnswers }
}

/** Builds the prerendered components for Node, loads them once and deletes the build. */
async function loadPrerenderModule(): Promise<PrerenderModule> {
  const outDir = resolve(root, `dist/prerender-${process.pid}`)
  await build({
    configFile: resolve(root, 'vite.config.ts'),
    customLogger: createLogger('error'),
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: prerenderModule,
      outDir,
      manifest: false,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'prerender.mjs', codeSplitting: false } },
    },
  })
  const loaded = (await import(
    `${pathToFileURL(resolve(outDir, 'prerender.mjs')).href}?${Date.now()}`
  )) as PrerenderModule
  rmSync(outDir, { recursive: true, force: true })
  return loaded
}
